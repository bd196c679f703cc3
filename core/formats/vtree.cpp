#include "formats/node_count.hpp"
#include "formats/sdd.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>

namespace reasons::formats {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

/// Nodes by the ids of the file.
class VtreeReader {
public:
  VtreeReader(std::string_view text, Budget& budget) : scan_(text), budget_(budget) {
    count_ = promised_nodes(scan_, "vtree", 5, text.size());
    nodes_.resize(count_);
    read_nodes(scan_, count_, [&](std::string_view kind) { node(kind); });
  }

  /// The nodes in order, by a walk without the machine's stack.
  [[nodiscard]] Vtree in_order() const {
    Vtree result;
    std::vector<std::uint32_t> place(count_), waiting;
    for (std::uint32_t at = root(); at != none || !waiting.empty();) {
      if (at != none) {
        waiting.push_back(at);
        at = nodes_[at].left;
        continue;
      }
      at = waiting.back();
      waiting.pop_back();
      place[at] = result.size();
      result.variable.push_back(nodes_[at].variable);
      at = nodes_[at].right;
    }
    set_bounds(place, result);
    return result;
  }

private:
  struct Node {
    std::uint32_t variable = 0, left = none, right = none;
    bool is_known = false, is_used = false;
  };

  void node(std::string_view kind) {
    budget_.tick();
    if (kind != "L" && kind != "I")
      scan_.fail("a node is L or I, not " + shown(kind));
    const auto id = static_cast<std::uint32_t>(scan_.integer("a node's id", 0, count_ - 1));
    if (nodes_[id].is_known)
      scan_.fail("a second node " + std::to_string(id));
    Node made;
    if (kind == "L") {
      made.variable = static_cast<std::uint32_t>(
          scan_.integer("a variable", 1, std::numeric_limits<std::int32_t>::max()));
      if (!variables_.insert(made.variable).second)
        scan_.fail("a second leaf of variable " + std::to_string(made.variable));
    } else {
      made.left = child();
      made.right = child();
    }
    made.is_known = true;
    nodes_[id] = made;
    listed_.push_back(id);
    scan_.end_of_line();
  }

  /// Children stand before parents and have one, so that what comes of it is a forest.
  std::uint32_t child() {
    const auto id = static_cast<std::uint32_t>(scan_.integer("a child's id", 0, count_ - 1));
    if (!nodes_[id].is_known || nodes_[id].is_used)
      scan_.fail("node " + std::to_string(id) +
                 (nodes_[id].is_used ? " has two parents" : " does not stand before its parent"));
    nodes_[id].is_used = true;
    ++used_;
    return id;
  }

  [[nodiscard]] std::uint32_t root() const {
    if (used_ + 1 != count_)
      throw FormatError("the nodes are not one tree: " + std::to_string(count_ - used_) +
                            " of them have no parent",
                        scan_.line());
    return listed_.back(); // the one without a parent: nothing can stand after the root
  }

  void set_bounds(const std::vector<std::uint32_t>& place, Vtree& result) const {
    result.first.resize(count_);
    result.last.resize(count_);
    for (std::uint32_t p = 0; p < count_; ++p)
      result.first[p] = result.last[p] = p;
    for (const std::uint32_t id : listed_) {
      if (nodes_[id].variable != 0)
        continue;
      result.first[place[id]] = result.first[place[nodes_[id].left]];
      result.last[place[id]] = result.last[place[nodes_[id].right]];
    }
  }

  Scanner scan_;
  Budget& budget_;
  std::uint32_t count_ = 0, used_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> listed_; // ids as they stand in the file
  std::unordered_set<std::uint32_t> variables_;
};

} // namespace

Vtree read_vtree(std::string_view text, Budget& budget) {
  return VtreeReader(text, budget).in_order();
}

} // namespace reasons::formats
