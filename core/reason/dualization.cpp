#include "reason/dualization.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace reasons::reason {
namespace {

constexpr std::size_t word_bits = 64;

void set_bit(std::vector<std::uint64_t>& bits, std::size_t i) {
  bits[i / word_bits] |= std::uint64_t{1} << (i % word_bits);
}

template <class Visit> void each_bit(std::span<const std::uint64_t> bits, Visit visit) {
  for (std::size_t w = 0; w < bits.size(); ++w)
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1)
      visit(w * word_bits + static_cast<std::size_t>(std::countr_zero(word)));
}

} // namespace

std::size_t Dualization::Hash::operator()(const Bits& bits) const {
  std::uint64_t hash = 0x9E3779B97F4A7C15;
  for (const Word word : bits) {
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9;
    hash ^= hash >> 29;
  }
  return hash;
}

Dualization::Dualization(Element elements)
    : elements_(elements), words_(std::max<std::size_t>(1, (elements + word_bits - 1) / word_bits)),
      edges_of_(elements, Bits(1, 0)) {}

Dualization::Members Dualization::members_of(std::span<const Word> bits) {
  Members members;
  each_bit(bits, [&](std::size_t i) { members.push_back(static_cast<Element>(i)); });
  return members;
}

Dualization::Bits Dualization::current() const {
  Bits bits(words_, 0);
  for (std::size_t d = 1; d < depth_; ++d)
    set_bit(bits, frames_[d].added);
  return bits;
}

void Dualization::start_pass() {
  ++passes_;
  found_edge_ = false;
  if (frames_.empty())
    frames_.emplace_back();
  Frame& root = frames_[0];
  root.candidates.assign(words_, 0);
  for (Element v = 0; v < elements_; ++v)
    set_bit(root.candidates, v);
  root.uncovered.assign(edge_words_, 0);
  for (std::size_t e = 0; e < edge_count_; ++e)
    set_bit(root.uncovered, e);
  root.is_open = false;
  depth_ = 1;
}

std::optional<Dualization::Members> Dualization::next(Budget& budget) {
  assert(!is_waiting_);
  if (is_closed_)
    return std::nullopt;
  if (depth_ == 0)
    start_pass();
  for (;;) {
    for (std::size_t work = 0; work <= edge_words_; work += word_bits)
      budget.tick();
    budget.require(edge_count_ + known_.size(), bytes());
    if (depth_ == 0) {
      if (!found_edge_) {
        is_closed_ = true;
        return std::nullopt;
      }
      start_pass();
    }
    Frame& frame = frames_[depth_ - 1];
    if (!frame.is_open) {
      if (std::ranges::all_of(frame.uncovered, [](Word word) { return word == 0; })) {
        Bits bits = current();
        if (known_.contains(bits)) {
          --depth_;
          continue;
        }
        is_waiting_ = true;
        return members_of(bits);
      }
      choose_branches(frame);
    }
    if (frame.branches.empty()) {
      --depth_;
      continue;
    }
    const Element element = frame.branches.back();
    frame.branches.pop_back();
    // What the set needs no longer with this element never needs it again below.
    if (enter(element))
      set_bit(frames_[depth_ - 2].candidates, element); // for the branches after this one
  }
}

/// Branches on the elements of an edge that leaves the fewest.
void Dualization::choose_branches(Frame& frame) {
  std::size_t best = edge_count_;
  int fewest = static_cast<int>(elements_) + 1;
  each_bit(frame.uncovered, [&](std::size_t e) {
    int left = 0;
    for (std::size_t w = 0; w < words_; ++w)
      left += std::popcount(edges_[e * words_ + w] & frame.candidates[w]);
    if (left < fewest) {
      fewest = left;
      best = e;
    }
  });
  frame.branches.clear();
  for (std::size_t w = 0; w < words_; ++w) {
    const Word tried = edges_[best * words_ + w] & frame.candidates[w];
    frame.candidates[w] &= ~tried;
    each_bit({&tried, 1}, [&](std::size_t i) {
      frame.branches.push_back(static_cast<Element>(w * word_bits + i));
    });
  }
  frame.is_open = true;
}

/// Adds an element to the set, unless another one then meets no edge alone.
bool Dualization::enter(Element element) {
  if (frames_.size() == depth_)
    frames_.emplace_back();
  const Frame& frame = frames_[depth_ - 1];
  Frame& child = frames_[depth_];
  const Bits& met = edges_of_[element];
  child.critical.resize(std::max(child.critical.size(), depth_));
  for (std::size_t i = 0; i + 1 < depth_; ++i) {
    Bits& left = child.critical[i];
    left.resize(edge_words_);
    Word any = 0;
    for (std::size_t w = 0; w < edge_words_; ++w)
      any |= left[w] = frame.critical[i][w] & ~met[w];
    if (any == 0)
      return false;
  }
  Bits& own = child.critical[depth_ - 1];
  own.resize(edge_words_);
  child.uncovered.resize(edge_words_);
  for (std::size_t w = 0; w < edge_words_; ++w) {
    own[w] = frame.uncovered[w] & met[w];
    child.uncovered[w] = frame.uncovered[w] & ~met[w];
  }
  child.candidates = frame.candidates;
  child.added = element;
  child.is_open = false;
  ++depth_;
  return true;
}

void Dualization::accept() {
  assert(is_waiting_);
  const Bits bits = current();
  accepted_.insert(accepted_.end(), bits.begin(), bits.end());
  known_.insert(bits);
  is_waiting_ = false;
  --depth_;
}

void Dualization::add_edge(const Members& edge) {
  Bits bits(words_, 0);
  for (const Element v : edge) {
    if (v >= elements_)
      throw InputError("an edge has an element that there is not");
    set_bit(bits, v);
  }
  for (std::size_t d = 1; d < depth_; ++d)
    if (std::ranges::binary_search(edge, frames_[d].added))
      throw InputError("a set that was proposed meets the edge that it is said to miss");
  if (edge_count_ == edge_words_ * word_bits)
    grow();
  const std::size_t e = edge_count_++;
  edges_.insert(edges_.end(), bits.begin(), bits.end());
  for (const Element v : edge)
    set_bit(edges_of_[v], e);
  for (std::size_t d = 0; d < depth_; ++d)
    set_bit(frames_[d].uncovered, e);
  is_waiting_ = false;
  found_edge_ = true;
}

/// Makes room for twice as many edges.
void Dualization::grow() {
  edge_words_ *= 2;
  for (Bits& bits : edges_of_)
    bits.resize(edge_words_, 0);
  for (std::size_t d = 0; d < depth_; ++d) {
    frames_[d].uncovered.resize(edge_words_, 0);
    for (std::size_t i = 0; i < d; ++i)
      frames_[d].critical[i].resize(edge_words_, 0);
  }
}

/// What the sets take, about: those accepted are in a hash table, too.
std::size_t Dualization::bytes() const {
  constexpr std::size_t entry = 8 * sizeof(Word);
  return sizeof(Word) * (edges_.size() + 2 * accepted_.size() + elements_ * edge_words_) +
         entry * known_.size();
}

Dualization::Members Dualization::sole_hits(const Members& set) const {
  Bits bits(words_, 0), sole(words_, 0);
  for (const Element v : set)
    set_bit(bits, v);
  for (std::size_t at = 0; at < accepted_.size(); at += words_) {
    int met = 0;
    for (std::size_t w = 0; w < words_; ++w)
      met += std::popcount(accepted_[at + w] & bits[w]);
    if (met == 1)
      for (std::size_t w = 0; w < words_; ++w)
        sole[w] |= accepted_[at + w] & bits[w];
  }
  return members_of(sole);
}

} // namespace reasons::reason
