// d4.cpp: reader of the d4 format of NNF.
//
// Nodes and arcs come in any order, so the file is first read into tables, and then the
// nodes that the root uses are put into order. An arc with literals is a conjunction of
// them and its child.
#include "formats/nnf/reader.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace reasons::formats {
namespace {

constexpr std::int64_t most_id = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t none = 0xFFFFFFFF;
constexpr std::size_t most_entries = 0xFFFFFFF0u;

struct Declared {
  NnfKind kind;
  std::uint64_t id, line;
};

struct Arc {
  std::uint64_t parent, child, line; // ids, until all are known; then positions
  std::uint32_t first, count;        // its literals
};

struct Tables {
  std::vector<Declared> nodes;
  std::unordered_map<std::uint64_t, std::uint32_t> position; // of an id
  std::vector<Arc> arcs;                                     // in the end, by parent
  std::vector<std::uint32_t> first_arc;                      // of each node, and the end
  std::vector<std::int32_t> literals;
  std::uint32_t largest = 0;
};

class Reader {
public:
  explicit Reader(std::string_view text) : in_(text) {}

  Tables read() {
    while (in_.next_line())
      line();
    for (Arc& arc : t_.arcs) {
      arc.parent = known(arc.parent, arc.line);
      arc.child = known(arc.child, arc.line);
      if (const auto& parent = t_.nodes[arc.parent];
          parent.kind == NnfKind::verum || parent.kind == NnfKind::falsum)
        throw FormatError("node " + std::to_string(parent.id) + " is a constant and has an arc",
                          arc.line);
    }
    group_by_parent();
    return std::move(t_);
  }

private:
  void line() {
    const std::string_view word = in_.word();
    if (word.empty() || word == "c")
      return;
    if (word == "o")
      declare(NnfKind::disjunction);
    else if (word == "a")
      declare(NnfKind::conjunction);
    else if (word == "t")
      declare(NnfKind::verum);
    else if (word == "f")
      declare(NnfKind::falsum);
    else
      arc(in_.number(word, "a node; o, a, t, f or the number of one is due", 0, most_id));
  }

  void declare(NnfKind kind) {
    const auto id = static_cast<std::uint64_t>(in_.integer("the number of a node", 0, most_id));
    const auto place = static_cast<std::uint32_t>(t_.nodes.size());
    if (const auto [old, is_new] = t_.position.emplace(id, place); !is_new)
      in_.fail("node " + std::to_string(id) + " is already in line " +
               std::to_string(t_.nodes[old->second].line));
    if (in_.integer("0", 0, 0) == 0)
      in_.end_of_line();
    t_.nodes.push_back({kind, id, in_.line()});
  }

  void arc(std::int64_t parent) {
    const auto child = in_.integer("the number of a node", 0, most_id);
    const auto first = t_.literals.size();
    while (const auto literal =
               in_.integer("a literal, or 0", -most_nnf_variables, most_nnf_variables)) {
      t_.literals.push_back(static_cast<std::int32_t>(literal));
      note(literal);
    }
    free_variables();
    if (t_.literals.size() > most_entries || t_.arcs.size() > most_entries)
      in_.fail("the graph has more edges than can be held");
    t_.arcs.push_back({static_cast<std::uint64_t>(parent), static_cast<std::uint64_t>(child),
                       in_.line(), static_cast<std::uint32_t>(first),
                       static_cast<std::uint32_t>(t_.literals.size() - first)});
  }

  /// One variant of d4 adds the variables that are free on the arc. They constrain nothing.
  void free_variables() {
    std::string_view word = in_.word();
    if (word.empty())
      return;
    while (const auto literal = in_.number(word, "a variable that is free, or 0",
                                           -most_nnf_variables, most_nnf_variables)) {
      note(literal);
      if (word = in_.word(); word.empty())
        in_.fail("the line ends where 0 is due");
    }
    in_.end_of_line();
  }

  void note(std::int64_t literal) {
    t_.largest = std::max(t_.largest, static_cast<std::uint32_t>(literal < 0 ? -literal : literal));
  }

  std::uint64_t known(std::uint64_t id, std::uint64_t line) const {
    const auto found = t_.position.find(id);
    if (found == t_.position.end())
      throw FormatError("there is no node " + std::to_string(id), line);
    return found->second;
  }

  /// Counting sort: arcs of one parent stay in the file's order.
  void group_by_parent() {
    t_.first_arc.assign(t_.nodes.size() + 1, 0);
    for (const Arc& arc : t_.arcs)
      ++t_.first_arc[arc.parent + 1];
    for (std::size_t n = 0; n < t_.nodes.size(); ++n)
      t_.first_arc[n + 1] += t_.first_arc[n];
    std::vector<std::uint32_t> next(t_.first_arc.begin(), t_.first_arc.end() - 1);
    std::vector<Arc> sorted(t_.arcs.size());
    for (const Arc& arc : t_.arcs)
      sorted[next[arc.parent]++] = arc;
    t_.arcs = std::move(sorted);
  }

  Scanner in_;
  Tables t_;
};

/// Puts what the root uses into order, inputs first.
class Sorter {
public:
  explicit Sorter(Tables tables)
      : t_(std::move(tables)), made_(t_.nodes.size(), none), open_(t_.nodes.size(), false) {}

  NnfFile sorted() {
    const auto root = t_.position.find(1);
    if (root == t_.position.end())
      throw FormatError("the root, node 1, is missing", 1);
    for (const Arc& arc : t_.arcs)
      if (arc.child == root->second)
        throw FormatError("node 1 should be the root, but is an input of node " +
                              std::to_string(t_.nodes[arc.parent].id),
                          arc.line);
    visit_all_below(root->second);
    nnf_.variables = t_.largest;
    nnf_.root = made_[root->second];
    return std::move(out_);
  }

private:
  struct Visit {
    std::uint32_t node, next_arc;
  };

  void visit_all_below(std::uint32_t root) {
    std::vector<Visit> path{{root, t_.first_arc[root]}};
    open_[root] = true;
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == t_.first_arc[node + 1]) {
        make(node);
        open_[node] = false;
        path.pop_back();
        continue;
      }
      const Arc& arc = t_.arcs[next++];
      const auto child = static_cast<std::uint32_t>(arc.child);
      if (open_[child])
        throw FormatError("node " + std::to_string(t_.nodes[child].id) + " is below itself",
                          arc.line);
      if (made_[child] == none) {
        open_[child] = true;
        path.push_back({child, t_.first_arc[child]});
      }
    }
  }

  void make(std::uint32_t node) {
    const auto [kind, id, line] = t_.nodes[node];
    const auto arcs =
        std::span(t_.arcs).subspan(t_.first_arc[node], t_.first_arc[node + 1] - t_.first_arc[node]);
    // Such a node could be taken for a constant, but constants are written t and f: arcs are lost.
    if (arcs.empty() && (kind == NnfKind::conjunction || kind == NnfKind::disjunction))
      throw FormatError("node " + std::to_string(id) + " has no arcs: is the file cut short?",
                        line);
    inputs_.clear();
    for (const Arc& arc : arcs)
      kind == NnfKind::conjunction ? add_parts(arc) : inputs_.push_back(input(arc));
    nnf_.edges.insert(nnf_.edges.end(), inputs_.begin(), inputs_.end());
    made_[node] = nnf_.add(kind, 0, id, line);
  }

  void add_parts(const Arc& arc) {
    for (const auto literal : std::span(t_.literals).subspan(arc.first, arc.count))
      inputs_.push_back(literal_node(literal, arc));
    inputs_.push_back(made_[arc.child]);
  }

  std::uint32_t input(const Arc& arc) {
    if (arc.count == 0)
      return made_[arc.child];
    std::vector<std::uint32_t> parts;
    for (const auto literal : std::span(t_.literals).subspan(arc.first, arc.count))
      parts.push_back(literal_node(literal, arc));
    parts.push_back(made_[arc.child]);
    nnf_.edges.insert(nnf_.edges.end(), parts.begin(), parts.end());
    return nnf_.add(NnfKind::conjunction, 0, t_.nodes[arc.parent].id, arc.line);
  }

  std::uint32_t literal_node(std::int32_t literal, const Arc& arc) {
    const auto [found, is_new] = literal_nodes_.emplace(literal, nnf_.size());
    if (is_new)
      nnf_.add(NnfKind::literal, literal, t_.nodes[arc.parent].id, arc.line);
    return found->second;
  }

  Tables t_;
  NnfFile out_;
  Nnf& nnf_ = out_.nnf;
  std::vector<std::uint32_t> made_; // position in the graph
  std::vector<bool> open_;          // on the path from the root
  std::vector<std::uint32_t> inputs_;
  std::unordered_map<std::int32_t, std::uint32_t> literal_nodes_;
};

} // namespace

NnfFile read_d4(std::string_view text) {
  return Sorter(Reader(text).read()).sorted();
}

} // namespace reasons::formats
