#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "apps/config/systems.hpp"

namespace maxwell_dg::config {

/// In small letters, with '_' for blanks and hyphens; no longer than words are.
[[nodiscard]] std::string plain_word(std::string_view word);

/// "; did you mean 'epsilon_r'?": what was meant by a word that is none of `known`, by its letters or because other
/// programs call that so; or a sentence on what there is instead. "" where nothing is near.
[[nodiscard]] std::string guess(std::string_view word, std::span<const std::string> known);

/// "; it stands under 'solver', as solver.order": of a key that is known, but not where it was written. "" of others.
[[nodiscard]] std::string place_of_key(const std::string& key, std::shared_ptr<const Systems> systems);

/// "; did you mean true?" of what stands for a truth value in other languages; "" of others.
[[nodiscard]] std::string guess_of_truth(std::string_view word);

}  // namespace maxwell_dg::config
