#include "scan.hpp"
#include "sdd.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>

namespace reasons {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

/// Nodes by the ids of the file.
class VtreeReader {
public:
  VtreeReader(std::string_view text, Budget& budget) : scan_(text), budget_(budget) {
    count_ = header(text.size());
    nodes_.resize(count_);
    std::uint32_t read = 0;
    while (scan_.next_line()) {
      const std::string_view kind = scan_.word();
      if (kind.empty() || kind == "c")
        continue;
      if (read++ == count_)
        scan_.fail("more nodes than the " + std::to_string(count_) + " of the header");
      node(kind);
    }
    if (read < count_)
      throw FormatError("the file ends after " + std::to_string(read) + " of " +
                            std::to_string(count_) + " nodes",
                        scan_.line());
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

  std::uint32_t header(std::size_t bytes) {
    while (scan_.next_line()) {
      const std::string_view word = scan_.word();
      if (word.empty() || word == "c")
        continue;
      if (word != "vtree")
        scan_.fail("the line `vtree` with the number of nodes is due, not " + shown(word));
      const std::int64_t count = scan_.integer("the number of nodes", 1, none - 1);
      // A node takes a line of six bytes; a header that promises more is not believed.
      if (static_cast<std::uint64_t>(count) > bytes / 5)
        scan_.fail("the file is too short for that many nodes");
      scan_.end_of_line();
      return static_cast<std::uint32_t>(count);
    }
    throw FormatError("the file has no line `vtree`", std::max<std::uint64_t>(scan_.line(), 1));
  }

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

} // namespace reasons
