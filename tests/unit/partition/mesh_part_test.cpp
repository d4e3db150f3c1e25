#include "dg/partition/mesh_part.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/power_terms.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/partition/part_loads.hpp"
#include "dg/partition/restricted.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/bloch_problem.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/varying_media.hpp"

/// Parts of a mesh, connected or not, are the whole together: its elements, its traces, and its equations to the bit.
namespace maxwell_dg::dg {
namespace {

using testing::random_values;
using Place = ElementRange::Place;

/// A discretization and a problem on it.
struct Whole {
  std::string name;
  std::function<std::shared_ptr<const Discretization>()> make;
  std::function<Problem(const Discretization&)> problem;
};

std::ostream& operator<<(std::ostream& out, const Whole& whole) {
  return out << whole.name;
}

std::shared_ptr<const Discretization> share(Mesh mesh, int N, FieldNumbers numbers = FieldNumbers::real) {
  return std::make_shared<Discretization>(std::move(mesh), N, numbers);
}

Problem maxwell_with_all_terms(const Discretization& d) {
  Problem problem = testing::random_problem(maxwell::system({.alpha = 0.7}), d);
  testing::add_all_terms(problem, d);
  integrate_losses(problem, d);
  return problem;
}

Problem varying_acoustics(const Discretization& d) {
  Problem problem = testing::random_problem(acoustics::system(), d);
  testing::add_linear_terms(problem, d);
  testing::vary_within(problem, d, [](const Point& x) { return std::vector{1 + 5 * x[0] * x[0], 2 - x[1]}; });
  return problem;
}

Problem anisotropic_with_losses(const Discretization& d) {
  Problem problem = testing::random_anisotropic_problem(0.7, d);
  integrate_losses(problem, d);
  return problem;
}

/// With names and values of all kinds.
Mesh periodic_box_with_values() {
  Mesh mesh = testing::periodic_box();
  mesh.cell_values["density"] = random_values(mesh.cells.size(), 2);
  mesh.vertex_values["height"] = random_values(mesh.vertices.size(), 3);
  return mesh;
}

std::vector<Whole> all_wholes() {
  return {{"maxwell_with_all_terms", [] { return share(testing::random_mesh(40), 2); }, maxwell_with_all_terms},
          {"curved_with_all_terms", [] { return share(testing::half_curved_random_mesh(30, 2), 2); },
           maxwell_with_all_terms},
          {"varying_acoustics", [] { return share(testing::half_curved_random_mesh(30, 3), 2); }, varying_acoustics},
          {"anisotropic", [] { return share(testing::half_curved_random_mesh(30, 2), 1); }, anisotropic_with_losses},
          {"phases", [] { return share(periodic_box_with_values(), 1, FieldNumbers::complex); },
           testing::problem_with_phases},
          {"complex_curved", [] { return share(testing::half_curved_random_mesh(30, 2), 1, FieldNumbers::complex); },
           [](const Discretization& d) { return testing::random_problem(maxwell::system({.alpha = 0.7}), d); }}};
}

class MeshParts : public ::testing::TestWithParam<Whole> {
 protected:
  static constexpr int ranks = 4;
  std::shared_ptr<const Discretization> whole = GetParam().make();
  Problem whole_problem = GetParam().problem(*whole);
  std::vector<int> rank_of_element = testing::random_ranks(*whole, ranks);
  std::vector<MeshPart> parts = [&] {
    std::vector<MeshPart> all;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(part_of(*whole, whole_problem, rank_of_element, rank));
    return all;
  }();
};

TEST_P(MeshParts, have_each_element_once_and_in_order) {
  std::vector<int> owners(whole->K());
  for (const MeshPart& part : parts) {
    const Discretization d = restricted(*whole, part);
    EXPECT_EQ(d.own(), part.own);
    EXPECT_EQ(d.K(), part.elements.size());
    EXPECT_EQ(d.whole_numbers, part.elements);
    const std::size_t copies = whole->complex_view.parts().size();
    EXPECT_EQ(d.complex_view.places() * copies, part.own);
    for (std::size_t i = 0; i < part.own; ++i) {
      ++owners[index(part.elements[i])];
      EXPECT_EQ(rank_of_element[index(part.elements[i])], part.rank);
    }
    for (std::size_t i = 0; i < d.complex_view.places() && copies == 2; ++i) {
      const std::size_t place = index(part.elements[i]);
      const std::size_t copy = d.complex_view.element(i, FieldPart::imaginary);
      EXPECT_EQ(index(part.elements[copy]), whole->complex_view.element(place, FieldPart::imaginary));
    }
    std::set<std::pair<FieldPart, std::pair<Place, bool>>> kinds;
    for (std::size_t r = 0; r < d.ranges.size(); ++r) {
      const ElementRange& range = d.ranges[r];
      const bool is_curved = range.shape == ElementRange::Shape::curved;
      const FieldPart field_part = whole->complex_view.part(index(part.elements[range.begin]));
      EXPECT_TRUE(kinds.insert({field_part, {range.place, is_curved}}).second) << "a kind of range is there twice";
      EXPECT_EQ(range.place == Place::ghost, range.begin >= part.own);
      for (std::size_t k = range.begin; k < range.end; ++k) {
        EXPECT_EQ(d.mesh.curved.is_curved(k), is_curved);
        EXPECT_EQ(whole->complex_view.part(index(part.elements[k])), field_part);
        EXPECT_TRUE(k == range.begin || part.elements[k - 1] < part.elements[k]);
        for (const std::int32_t n : d.connectivity.neighbours[k]) {
          EXPECT_TRUE(n < 0 || range.place != Place::interior || index(n / 4) < part.own);
        }
      }
    }
  }
  EXPECT_EQ(owners, std::vector<int>(whole->K(), 1));
}

TEST_P(MeshParts, send_what_the_others_receive) {
  std::size_t links = 0;
  for (const MeshPart& part : parts) {
    for (const Halo::Link& link : part.halo.links) {
      ++links;
      ASSERT_NE(link.rank, part.rank);
      const MeshPart& other = parts.at(index(link.rank));
      const auto back = std::ranges::find(other.halo.links, part.rank, &Halo::Link::rank);
      ASSERT_NE(back, other.halo.links.end());
      ASSERT_EQ(link.sent.size(), back->received.size());
      for (std::size_t i = 0; i < link.sent.size(); ++i) {
        EXPECT_LT(link.sent[i].element, part.own);
        EXPECT_GE(back->received[i].element, other.own);
        EXPECT_EQ(part.elements[link.sent[i].element], other.elements[back->received[i].element]);
        EXPECT_EQ(link.sent[i].face, back->received[i].face);
      }
      const std::set<ElementFace> once(link.sent.begin(), link.sent.end());
      EXPECT_EQ(once.size(), link.sent.size());
    }
    EXPECT_TRUE(std::ranges::is_sorted(part.halo.links, {}, &Halo::Link::rank));
  }
  EXPECT_GE(links, 8U);
}

TEST_P(MeshParts, have_the_loads_that_were_planned) {
  std::vector<double> costs(whole->K());
  for (std::size_t k = 0; k < costs.size(); ++k) costs[k] = rank_of_element[k] == 2 ? 3 : 1;
  const std::vector<PartLoad> loads = part_loads(*whole, whole_problem, rank_of_element, ranks, costs);
  ASSERT_EQ(loads.size(), parts.size());
  double total = 0;
  for (const MeshPart& part : parts) total += static_cast<double>(part.own) * (part.rank == 2 ? 3 : 1);
  for (const MeshPart& part : parts) {
    const PartLoad& load = loads[index(part.rank)];
    EXPECT_EQ(load.elements, part.own);
    EXPECT_EQ(load.ghosts, part.elements.size() - part.own);
    EXPECT_EQ(load.neighbours, part.halo.links.size());
    std::size_t sent = 0, cut = 0;
    for (const Halo::Link& link : part.halo.links) sent += link.sent.size();
    EXPECT_EQ(load.traces_sent, sent);
    const Discretization d = restricted(*whole, part);
    for (std::size_t k = 0; k < d.own(); ++k) {
      cut += static_cast<std::size_t>(std::ranges::count_if(
          d.connectivity.neighbours[k], [&](std::int32_t n) { return n >= 0 && index(n / 4) >= d.own(); }));
    }
    EXPECT_EQ(load.faces_cut, cut);
    EXPECT_DOUBLE_EQ(load.cost, static_cast<double>(part.own) * (part.rank == 2 ? 3 : 1) / total * ranks);
  }
}

TEST_P(MeshParts, without_the_others_are_pieces_whose_equations_can_be_evaluated) {
  std::erase_if(whole_problem.face_terms, [](const FaceTerm& term) { return !term.others.empty(); });
  for (const MeshPart& part : parts) {
    const MeshPart piece = piece_of(*whole, rank_of_element, part.rank);
    EXPECT_EQ(piece.elements.size(), part.own);
    EXPECT_TRUE(std::ranges::is_sorted(piece.elements));
    EXPECT_LE(piece.ranges.size(), whole->ranges.size());
    const Discretization d = restricted(*whole, piece);
    EXPECT_EQ(d.own(), d.K());
    for (const auto& neighbours : d.connectivity.neighbours) {
      for (const std::int32_t n : neighbours) EXPECT_TRUE(n < 0 || index(n / 4) < d.K());
    }
    const Problem problem = restricted(whole_problem, *whole, piece);
    const ReferenceOperator op(d, problem);
    std::vector<double> rhs(op.size()), rates(auxiliary_count(problem, d));
    op.rhs(random_values(op.size(), 3), 0.3, rhs, random_values(rates.size(), 4), rates);
    for (const double value : rhs) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST_P(MeshParts, have_the_geometry_of_the_whole) {
  std::size_t boundary_faces = 0;
  for (const MeshPart& part : parts) {
    const Discretization d = restricted(*whole, part);
    boundary_faces += d.connectivity.boundary_faces.size();
    EXPECT_TRUE(d.mesh.curved.fits(d.K()));
    for (std::size_t k = 0; k < d.K(); ++k) {
      const std::size_t in_whole = index(part.elements[k]);
      EXPECT_EQ(d.geometry.metric[k], whole->geometry.metric[in_whole]);
      EXPECT_EQ(d.inscribed_radius(k), whole->inscribed_radius(in_whole));
      for (int i = 0; i < d.Np(); ++i) EXPECT_EQ(d.node(k, i), whole->node(in_whole, i));
      EXPECT_EQ(d.mesh.cell_region[k], whole->mesh.cell_region[in_whole]);
      for (const auto& [name, values] : whole->mesh.cell_values) {
        EXPECT_EQ(d.mesh.cell_values.at(name)[k], values[in_whole]);
      }
      for (std::size_t a = 0; a < 4; ++a) {
        const std::size_t v = index(d.mesh.cells[k].at(a)), v_whole = index(whole->mesh.cells[in_whole].at(a));
        EXPECT_EQ(d.mesh.vertices[v], whole->mesh.vertices[v_whole]);
        for (const auto& [name, values] : whole->mesh.vertex_values) {
          EXPECT_EQ(d.mesh.vertex_values.at(name)[v], values[v_whole]);
        }
      }
    }
    for (std::size_t b = 0; b < d.connectivity.boundary_faces.size(); ++b) {
      const Connectivity::BoundaryFace& here = d.connectivity.boundary_faces[b];
      const auto cell = index(here.cell), face = index(here.face);
      const std::int32_t n = whole->connectivity.neighbours[index(part.elements[cell])].at(face);
      ASSERT_LT(n, 0);
      EXPECT_EQ(d.connectivity.neighbours[cell].at(face), -1 - static_cast<std::int32_t>(b));
      EXPECT_EQ(here.surface, whole->connectivity.boundary_faces[index(-1 - n)].surface);
    }
    // Own elements have all of their neighbours in the part, so its mesh says the same of them.
    const Connectivity made = Connectivity::make(d.mesh);
    for (std::size_t k = 0; k < d.own(); ++k) {
      for (std::size_t face = 0; face < 4; ++face) {
        const std::int32_t n = d.connectivity.neighbours[k].at(face), by_mesh = made.neighbours[k].at(face);
        if (n >= 0) {
          EXPECT_EQ(by_mesh, n);
        } else {
          ASSERT_LT(by_mesh, 0);
          EXPECT_EQ(made.boundary_faces[index(-1 - by_mesh)].surface,
                    d.connectivity.boundary_faces[index(-1 - n)].surface);
        }
      }
    }
  }
  EXPECT_EQ(boundary_faces, whole->connectivity.boundary_faces.size());
}

TEST_P(MeshParts, have_ghosts_whose_faces_lead_nowhere_else) {
  std::size_t back = 0;
  for (const MeshPart& part : parts) {
    const Discretization d = restricted(*whole, part);
    for (std::size_t k = d.own(); k < d.K(); ++k) {
      for (std::size_t face = 0; face < 4; ++face) {
        const std::int32_t n = d.connectivity.neighbours[k].at(face);
        ASSERT_GE(n, 0);
        ASSERT_LT(index(n / 4), d.K());
        EXPECT_EQ(d.connectivity.neighbours[index(n / 4)].at(index(n % 4)), static_cast<std::int32_t>(4 * k + face));
        if (index(n / 4) != k) continue;
        ++back;
        const std::int32_t in_whole = whole->connectivity.neighbours[index(part.elements[k])].at(face);
        const std::span own(part.elements.begin(), part.own);
        EXPECT_TRUE(in_whole < 0 || std::ranges::count(own, in_whole / 4) == 0);
      }
    }
  }
  EXPECT_GT(back, 0U);
}

TEST_P(MeshParts, have_the_equations_of_the_whole_to_the_bit) {
  const ReferenceOperator op(*whole, whole_problem);
  const auto fields = index(whole_problem.system.field_count());
  const std::size_t an_element = fields * index(whole->Np());
  const std::vector<double> q = random_values(op.size(), 3);
  const std::vector<double> u = random_values(auxiliary_count(whole_problem, *whole), 4);
  std::vector<double> rhs(q.size()), rates(u.size()), energy(op.energies(q).size());
  op.rhs(q, 0.3, rhs, u, rates);
  // [term][element] where its auxiliary variables begin
  std::vector<std::map<std::int32_t, std::size_t>> first;
  std::size_t next = 0;
  for (const ElementTerm& term : whole_problem.element_terms) {
    first.emplace_back();
    for (const std::int32_t k : term.elements) {
      first.back()[k] = next;
      next += term.auxiliary.size() * auxiliary_places(*whole, index(k));
    }
  }
  // [term][element, face] the same of faces
  std::vector<std::map<std::pair<std::int32_t, int>, std::size_t>> first_of_faces;
  for (const FaceTerm& term : whole_problem.face_terms) {
    first_of_faces.emplace_back();
    for (const FaceTerm::Face& face : term.faces) {
      first_of_faces.back()[{face.element, face.face}] = next;
      next += term.auxiliary.size() * auxiliary_places(*whole, face);
    }
  }
  ASSERT_EQ(next, u.size());
  for (const MeshPart& part : parts) {
    const Discretization d = restricted(*whole, part);
    const Problem problem = restricted(whole_problem, *whole, part);
    ASSERT_EQ(problem.element_terms.size(), whole_problem.element_terms.size());
    ASSERT_EQ(problem.face_terms.size(), whole_problem.face_terms.size());
    const ReferenceOperator of_part(d, problem);
    const std::vector<double> own_q = testing::state_of_part(d, fields, q);
    std::vector<double> own_u, expected_rates, found(own_q.size()), found_rates;
    const auto take = [&](std::size_t begin, std::size_t count) {
      own_u.insert(own_u.end(), &u[begin], &u[begin] + count);
      expected_rates.insert(expected_rates.end(), &rates[begin], &rates[begin] + count);
    };
    for (std::size_t t = 0; t < problem.element_terms.size(); ++t) {
      const ElementTerm& term = problem.element_terms[t];
      EXPECT_TRUE(std::ranges::is_sorted(term.elements));
      for (const std::int32_t k : term.elements) {
        take(first[t].at(part.elements[index(k)]), term.auxiliary.size() * auxiliary_places(d, index(k)));
      }
    }
    for (std::size_t t = 0; t < problem.face_terms.size(); ++t) {
      const FaceTerm& term = problem.face_terms[t];
      EXPECT_TRUE(std::ranges::is_sorted(term.faces));
      for (const FaceTerm::Face& face : term.faces) {
        take(first_of_faces[t].at({part.elements[index(face.element)], face.face}),
             term.auxiliary.size() * auxiliary_places(d, face));
      }
    }
    found_rates.resize(own_u.size());
    of_part.rhs(own_q, 0.3, found, own_u, found_rates);
    for (std::size_t k = 0; k < d.own(); ++k) {
      const auto here = found.begin() + static_cast<std::ptrdiff_t>(k * an_element);
      const auto there = rhs.begin() + static_cast<std::ptrdiff_t>(index(part.elements[k]) * an_element);
      EXPECT_TRUE(std::equal(here, here + static_cast<std::ptrdiff_t>(an_element), there)) << "element " << k;
    }
    EXPECT_EQ(found_rates, expected_rates);
    const std::vector<double> energies = of_part.energies(own_q);
    for (std::size_t e = 0; e < energies.size(); ++e) energy[e] += energies[e];
  }
  const std::vector<double> expected = op.energies(q);
  for (std::size_t e = 0; e < energy.size(); ++e) EXPECT_NEAR(energy[e] / expected[e], 1, 1e-13);
}

TEST_P(MeshParts, have_the_powers_of_the_whole) {
  std::map<std::string, std::size_t> expected, found;
  const auto count = [](const PowerTerms& terms, std::map<std::string, std::size_t>& places) {
    for (const ElementTerm& term : terms.on_elements) places[term.name] += term.elements.size();
    for (const FaceTerm& term : terms.on_faces) places[term.name] += term.faces.size();
  };
  count(power_terms(*whole, whole_problem), expected);
  for (const MeshPart& part : parts) {
    count(power_terms(restricted(*whole, part), restricted(whole_problem, *whole, part)), found);
  }
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(All, MeshParts, ::testing::ValuesIn(all_wholes()), ::testing::PrintToStringParamName());

TEST(MeshPart, of_one_rank_is_the_whole) {
  Mesh mesh = testing::half_curved_random_mesh(30, 2);
  prepare(mesh, "half curved", Orientation::any);
  const Discretization whole(std::move(mesh), 1);
  const Problem problem = testing::random_problem(maxwell::system(), whole);
  const MeshPart part = part_of(whole, problem, std::vector<int>(whole.K(), 0), 0);
  const Discretization d = restricted(whole, part);
  EXPECT_TRUE(part.halo.links.empty());
  EXPECT_EQ(part.ranges.size(), 2U);
  EXPECT_EQ(d.mesh.cells, whole.mesh.cells);
  EXPECT_EQ(d.connectivity.neighbours, whole.connectivity.neighbours);
  EXPECT_EQ(restricted(problem, whole, part).boundary, problem.boundary);
}

TEST(MeshPart, that_cannot_be_is_refused) {
  const Discretization whole(testing::random_mesh(20), 1);
  const Discretization of_complex(testing::random_mesh(20), 1, FieldNumbers::complex);
  const auto message = [](const Discretization& d, const std::vector<int>& ranks, int rank) -> std::string {
    try {
      (void)part_of(d, testing::random_problem(maxwell::system(), d), ranks, rank);
      return "nothing";
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
  };
  EXPECT_EQ(message(whole, std::vector<int>(20, 1), 1), "nothing");
  EXPECT_EQ(message(whole, std::vector<int>(19, 1), 1), "part_of: ranks of 19 elements for 20");
  EXPECT_EQ(message(whole, std::vector<int>(20, 1), 0), "part_of: rank 0 has no elements");
  std::vector<int> ranks(40, 0);
  ranks[23] = 1;
  EXPECT_EQ(message(of_complex, ranks, 0),
            "part_of: element 3 and its imaginary part, element 23, have different ranks");
  const Problem problem = testing::random_problem(maxwell::system(), whole);
  const Discretization part = restricted(whole, part_of(whole, problem, testing::random_ranks(whole, 2), 0));
  EXPECT_EQ(message(part, std::vector<int>(part.K(), 0), 0), "part_of: the discretization is a part already");
}

}  // namespace
}  // namespace maxwell_dg::dg
