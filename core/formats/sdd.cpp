#include "formats/sdd.hpp"

#include "formats/node_count.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

namespace reasons::formats {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;
constexpr std::int64_t most_variable = std::numeric_limits<std::int32_t>::max();

class SddReader {
public:
  SddReader(std::string_view text, const Vtree* shape, Budget& budget)
      : scan_(text), shape_(shape), budget_(budget) {
    count_ = promised_nodes(scan_, "sdd", 3, text.size());
    node_of_.assign(count_, none);
    place_of_.assign(count_, none);
    read_nodes(scan_, count_, [&](std::string_view kind) { node(kind); });
  }

  /// The graph, over the variables that occur and those of a vtree.
  [[nodiscard]] Sdd result(const Vtree* vtree) {
    out_.nnf.root = out_.nnf.size() - 1;
    for (std::uint32_t p = 0; vtree != nullptr && p < vtree->size(); ++p)
      if (vtree->variable[p] != 0)
        seen_.try_emplace(vtree->variable[p], shape_ != nullptr ? p : none);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> placed; // place in the vtree, variable
    for (const auto& [variable, place] : seen_)
      placed.emplace_back(place, variable);
    number_variables(std::move(placed));
    return std::move(out_);
  }

private:
  void node(std::string_view kind) {
    budget_.tick();
    if (kind != "F" && kind != "T" && kind != "L" && kind != "D")
      scan_.fail("a node is F, T, L or D, not " + shown(kind));
    const auto id = static_cast<std::uint32_t>(scan_.integer("a node's id", 0, count_ - 1));
    if (node_of_[id] != none)
      scan_.fail("a second node " + std::to_string(id));
    if (kind == "L")
      literal(id);
    else if (kind == "D")
      decomposition(id);
    else
      add(kind == "T" ? NnfKind::verum : NnfKind::falsum, 0, {}, id);
    node_of_[id] = out_.nnf.size() - 1;
    scan_.end_of_line();
  }

  void literal(std::uint32_t id) {
    const std::uint32_t place = place_of_[id] = vtree_place();
    const auto value =
        static_cast<std::int32_t>(scan_.integer("a literal", -most_variable, most_variable));
    const auto variable = static_cast<std::uint32_t>(std::abs(value));
    if (value == 0)
      scan_.fail("0 is no literal");
    if (shape_ != nullptr && shape_->variable[place] != variable)
      scan_.fail("vtree node " + std::to_string(place) + " is not the leaf of variable " +
                 std::to_string(variable));
    if (seen_.try_emplace(variable, place).first->second != place)
      scan_.fail("variable " + std::to_string(variable) + " stands at two vtree nodes");
    add(NnfKind::literal, value, {}, id);
  }

  void decomposition(std::uint32_t id) {
    const std::uint32_t place = place_of_[id] = vtree_place();
    if (shape_ != nullptr && shape_->variable[place] != 0)
      scan_.fail("vtree node " + std::to_string(place) + " is a leaf, not a decomposition");
    const std::int64_t elements = scan_.integer("the number of elements", 1, none - 1);
    std::vector<std::uint32_t> disjuncts; // grows with the line, not with what it claims
    for (std::int64_t i = 0; i < elements; ++i) {
      const std::uint32_t prime = input(place, "prime", true);
      const std::uint32_t sub = input(place, "sub", false);
      add(NnfKind::conjunction, 0, {prime, sub}, id);
      disjuncts.push_back(out_.nnf.size() - 1);
    }
    add(NnfKind::disjunction, 0, disjuncts, id);
  }

  std::uint32_t vtree_place() {
    const std::int64_t last = shape_ != nullptr ? shape_->size() - 1 : most_variable;
    return static_cast<std::uint32_t>(scan_.integer("a vtree node", 0, last));
  }

  std::uint32_t input(std::uint32_t place, const char* what, bool is_prime) {
    const auto id = static_cast<std::uint32_t>(scan_.integer(what, 0, count_ - 1));
    if (node_of_[id] == none)
      scan_.fail("node " + std::to_string(id) + " does not stand before its user");
    const std::uint32_t at = place_of_[id]; // constants are at home everywhere
    if (shape_ != nullptr && at != none &&
        (is_prime ? at < shape_->first[place] || at >= place
                  : at <= place || at > shape_->last[place]))
      scan_.fail(std::string("the ") + what + " " + std::to_string(id) + " is not below the " +
                 (is_prime ? "left" : "right") + " child of vtree node " + std::to_string(place));
    return node_of_[id];
  }

  void add(NnfKind kind, std::int32_t literal, const std::vector<std::uint32_t>& inputs,
           std::uint64_t id) {
    Nnf& nnf = out_.nnf;
    nnf.kinds.push_back(kind);
    nnf.literals.push_back(literal);
    nnf.edges.insert(nnf.edges.end(), inputs.begin(), inputs.end());
    nnf.first.push_back(static_cast<std::uint32_t>(nnf.edges.size()));
    nnf.names.push_back(id);
    nnf.lines.push_back(scan_.line());
  }

  /// Numbers the variables from 1 on, in the graph too.
  void number_variables(std::vector<std::pair<std::uint32_t, std::uint32_t>> placed) {
    std::ranges::sort(placed);
    for (const auto& [place, variable] : placed)
      out_.variables.push_back(variable);
    std::ranges::sort(out_.variables);
    std::unordered_map<std::uint32_t, std::uint32_t> index;
    for (const std::uint32_t variable : out_.variables)
      index.emplace(variable, static_cast<std::uint32_t>(index.size()));
    for (const auto& [place, variable] : placed)
      out_.order.push_back(index[variable]);
    for (std::int32_t& literal : out_.nnf.literals)
      if (literal != 0) {
        const auto number =
            static_cast<std::int32_t>(index[static_cast<std::uint32_t>(std::abs(literal))]) + 1;
        literal = literal < 0 ? -number : number;
      }
    out_.nnf.variables = static_cast<std::uint32_t>(out_.variables.size());
  }

  Scanner scan_;
  const Vtree* shape_;
  Budget& budget_;
  std::uint32_t count_ = 0;
  Sdd out_;
  std::vector<std::uint32_t> node_of_, place_of_;         // by the ids of the file
  std::unordered_map<std::uint32_t, std::uint32_t> seen_; // place of each variable
};

} // namespace

Sdd read_sdd(std::string_view text, const Vtree* vtree, VtreeUse use, Budget& budget) {
  return SddReader(text, use == VtreeUse::shape ? vtree : nullptr, budget).result(vtree);
}

} // namespace reasons::formats
