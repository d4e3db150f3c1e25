#include <string>
#include <vector>

#include "tests/must_fail/config/bad.hpp"
#include "tests/unit/config/config_files.hpp"

namespace maxwell_dg::config {
namespace {

/// What is no YAML, or not the tree that a config is; changes by --set that lead nowhere.
const std::vector<Bad> bad_yaml{
    {"empty_file", "", {"FILE: found nothing; allowed: a mapping with the keys units, anchors, constants, mesh"}},
    {"list_at_top", "- 1\n", {"FILE:1:1: found a list; allowed: a mapping with the keys units"}},
    {"text_at_top", "hello\n", {"FILE:1:1: found 'hello'; allowed: a mapping with the keys units"}},
    {"not_yaml", "mesh: [1, 2\n", {"FILE:2:1: not valid YAML: "}},
    {"tab_indentation",
     "mesh:\n\tbox: 1\n",
     {"FILE:2:5: not valid YAML: illegal map value; YAML is indented with blanks, not tabs"}},
    {"two_documents", minimal + "---\n" + minimal, {"FILE: more than one YAML document"}},
    {"duplicate_key", minimal + "time: {end: 1}\n", {"FILE:5:1: the key 'time' appears twice; first in line 2"}},
    {"alias_inside_of_itself", "a: &a [*a]\n", {"FILE:1:8: an alias inside of the node that it names"}},
    {"merge_of_no_mapping",
     minimal + "solver: {<<: 4}\n",
     {"FILE:5:14: found '4' under '<<'; allowed: a mapping whose keys are merged into this one, as in '<<: *name', or "
      "a list of such"}},
    {"merge_of_a_list_of_lists", minimal + "solver: {<<: [[]]}\n", {"FILE:5:15: found a list under '<<'; allowed: "}},
    {"merge_of_nothing", minimal + "solver:\n  <<:\n", {"found nothing under '<<'; allowed: "}},
    {"two_merge_keys",
     minimal + "solver: {<<: {}, <<: {}}\n",
     {"FILE:5:18: the key '<<' appears twice; first in line 5"}},
    {"quoted_merge_key", minimal + "solver: {\"<<\": {}}\n", {"FILE:5:10: solver.<<: unknown key; allowed: order"}},
    {"a_merged_value_is_blamed_where_it_stands",
     "anchors:\n  fine: &fine {order: 12, flux: central}\n" + minimal + "solver: {<<: *fine, ordr: 2}\n",
     {"FILE:2:23: solver.order: found '12'; allowed: an integer from 1 to 9",
      "FILE:7:21: solver.ordr: unknown key; did you mean 'order'?"}},
    {"nested_too_deeply",
     minimal + "anchors: " + std::string(1000, '[') + std::string(1000, ']') + "\n",
     {"not valid YAML: it is nested too deeply"}},
    {"override_without_value",
     minimal,
     {"--set solver.order: allowed: key.path=value, as in solver.order=3"},
     {"solver.order"}},
    {"override_of_an_unknown_key_by_null",
     minimal,
     {"--set: outputs.feilds: unknown key; did you mean 'fields'?"},
     {"outputs.feilds=null"}},
    {"override_of_a_needed_key_by_null", minimal, {"time: missing; allowed: "}, {"time=null"}},
    {"override_by_nothing", minimal, {"--set: solver.order: found nothing; allowed: "}, {"solver.order="}},
    {"override_of_an_unknown_key",
     minimal,
     {"--set: solver.ordr: unknown key; did you mean 'order'?"},
     {"solver.ordr=3"}},
    {"override_beyond_a_list",
     minimal,
     {"--set materials.3.sigma=1: item 3 does not exist; the list has 1 (numbered from 0)"},
     {"materials.3.sigma=1"}},
    {"override_of_a_list_by_name",
     minimal,
     {"--set materials.sigma=1: 'sigma' does not number an item of a list; allowed: 0 to 0"},
     {"materials.sigma=1"}},
    {"override_inside_of_a_value",
     minimal,
     {"--set time.end.x=1: 'x' cannot be set inside of the value the text '10 ns'"},
     {"time.end.x=1"}},
    {"override_that_is_not_yaml", minimal, {"--set solver.order=[1:"}, {"solver.order=[1"}},
};

INSTANTIATE_TEST_SUITE_P(Yaml, BadConfig, testing::ValuesIn(bad_yaml),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace maxwell_dg::config
