// dualization.hpp: minimal transversals of edges that are found on the way (MMCS: Murakami, Uno
// 2014).
//
// The sufficient reasons of a decision are the minimal transversals of its contrastive sets, of
// which none is known at first. A depth-first search proposes minimal transversals of the edges
// known so far. Whoever asks says that the proposal is one for good, or names an edge that it
// misses; the search goes on from there. In 300,000 random cases that found everything, but we have
// no proof that edges found late make nothing minimal that was passed over. So it is repeated until
// a search finds no new edge: MMCS on fixed edges, which is complete.
// Each proposal settles a set of one of the families, which no SAT solver as a map achieves.
#pragma once

#include "base/budget.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

namespace reasons::reason {

class Dualization {
public:
  using Element = std::uint32_t;
  using Members = std::vector<Element>; // ascending

  explicit Dualization(Element elements);

  /// A minimal transversal of all edges that is not accepted yet; none if all of them are. To be
  /// answered by `accept` or `add_edge` before the next call. May be called again after a limit
  /// was passed.
  [[nodiscard]] std::optional<Members> next(Budget& budget);

  /// The proposal misses no edge there is.
  void accept();
  /// An edge that the proposal misses; before the first call of `next`, any edge. No edge may
  /// include another.
  void add_edge(const Members& edge);

  /// Marks the elements of a set that some accepted transversal meets in nothing else.
  [[nodiscard]] Members sole_hits(const Members& set) const;

  [[nodiscard]] std::size_t accepted() const { return accepted_.size() / words_; }
  [[nodiscard]] std::size_t edges() const { return edge_count_; }
  [[nodiscard]] std::size_t passes() const { return passes_; }

private:
  using Word = std::uint64_t;
  using Bits = std::vector<Word>;
  struct Frame {
    Element added = 0;             // the last element of the set
    Bits candidates;               // elements that may still come in
    Bits uncovered;                // edges
    std::vector<Bits> critical;    // of each element of the set, the edges that it alone meets
    std::vector<Element> branches; // elements still to be tried, the next one last
    bool is_open = false;          // whether branches are chosen
  };
  struct Hash {
    std::size_t operator()(const Bits& bits) const;
  };

  void start_pass();
  void choose_branches(Frame& frame);
  [[nodiscard]] bool enter(Element element);
  [[nodiscard]] Bits current() const;
  void grow();
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] static Members members_of(std::span<const Word> bits);

  Element elements_;
  std::size_t words_, edge_words_ = 1, edge_count_ = 0, passes_ = 0, depth_ = 0;
  bool is_waiting_ = false, found_edge_ = false, is_closed_ = false;
  std::vector<Word> edges_, accepted_; // sets, each of words_ words
  std::vector<Bits> edges_of_;         // of each element
  std::unordered_set<Bits, Hash> known_;
  std::vector<Frame> frames_; // the first depth_ are in use
};

} // namespace reasons::reason
