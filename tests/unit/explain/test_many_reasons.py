"""Sets far too large to list: counted exactly, started at once, and given up cleanly.

Times are not compared here (benches/ does that); the few bounds are generous and only tell
"at once" from "not in this life".
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from math import comb
from random import Random
from typing import Any

import pytest

import reasons
from tests.support.folders import ROOT

CLAUSES, VOTERS, PAIRS = 42, 71, 60


def choices(clauses: int = CLAUSES) -> reasons.Decision:
    """One of three from every clause; all of them hold."""
    groups = [[f"{letter}{i}" for letter in "abc"] for i in range(clauses)]
    builder = reasons.Builder([name for group in groups for name in group])
    no, node = builder.leaf(False), builder.leaf(True)
    for group in reversed(groups):
        failing, holding = no, node
        for name in reversed(group):
            failing = builder.decide(name, {True: holding, False: failing})
        node = failing
    return builder.build(node).decide([1] * 3 * clauses)


def majority(voters: int = VOTERS) -> reasons.Classifier:
    """True if more than half of the features are."""
    builder = reasons.Builder([f"v{i}" for i in range(voters)])
    needed = voters // 2 + 1
    below = [builder.leaf(votes >= needed) for votes in range(voters + 1)]
    for voter in reversed(range(voters)):
        below = [
            builder.decide(f"v{voter}", {True: below[votes + 1], False: below[votes]})
            for votes in range(voter + 1)
        ]
    return builder.build(below[0])


def exploding() -> reasons.Decision:
    """The reasons are vertex covers of a random graph of degree four: no order is good."""
    rng = Random(0)
    names = [f"v{i}" for i in range(2 * PAIRS)]
    builder = reasons.Builder(["s", "t", *names])
    no, yes = builder.leaf(False), builder.leaf(True)

    def matching() -> int:
        shuffled = rng.sample(names, len(names))
        edges = zip(shuffled[::2], shuffled[1::2], strict=True)
        other = [(x, builder.decide(y, {True: yes, False: no})) for x, y in edges]
        return builder.all_of(builder.decide(x, {True: yes, False: y}) for x, y in other)

    arms = [builder.decide("t", {True: matching(), False: matching()}) for _ in range(2)]
    classifier = builder.build(builder.decide("s", {True: arms[0], False: arms[1]}))
    return classifier.decide([1] * len(classifier.features))


def test_three_to_the_42_reasons_are_counted() -> None:
    decision = choices()
    terms = decision.sufficient_reasons()
    assert terms.count() == 3**CLAUSES == 109_418_989_131_512_359_209
    assert terms.sizes() == {CLAUSES: 3**CLAUSES}
    assert terms.all_shortest() == terms
    assert decision.contrastive_sets().count() == CLAUSES
    assert set(terms.share().values()) == {1 / 3}
    assert terms.containing("a0", "b7").count() == 3 ** (CLAUSES - 2)
    assert terms.without("a0", "b0", "c7").count() == 2 * 3 ** (CLAUSES - 2)
    assert not terms.without("a0", "b0", "c0")


def test_the_majority_of_71_has_a_reason_for_every_36_of_them() -> None:
    decision = majority().decide([1] * VOTERS)
    terms = decision.sufficient_reasons()
    assert terms.count() == comb(71, 36) > 2**64
    assert decision.contrastive_sets().count() == comb(71, 36)
    assert terms.sizes() == {36: comb(71, 36)}
    assert all(share == 36 / 71 for share in terms.share().values())
    mixed = majority().decide([1] * 40 + [0] * 31)
    assert mixed.sufficient_reasons().count() == comb(40, 36)
    assert mixed.contrastive_sets().count() == comb(40, 5)


def test_the_majority_of_71_has_as_many_prime_implicants() -> None:
    for label in (False, True):
        assert majority().prime_implicants(label).count() == comb(71, 36)


def test_general_reasons_of_three_valued_choices_are_counted() -> None:
    """Each of 30 features of three values avoids one of them: two boxes a pair of features."""
    features = [reasons.Feature.categorical(f"x{i}", "pqr") for i in range(60)]
    builder = reasons.Builder(features)
    no, node = builder.leaf(False), builder.leaf(True)
    for i in reversed(range(0, 60, 2)):
        second = builder.decide(f"x{i + 1}", {("p", "q"): node, "r": no})
        node = builder.decide(f"x{i}", {("p", "q"): node, "r": second})
    terms = builder.build(node).decide(["p"] * 60).sufficient_reasons(general=True)
    assert terms.count() == 2**30
    assert set(terms.shortest().values()) == {frozenset("pq")}


def test_the_first_ten_of_ten_to_the_20_come_at_once() -> None:
    terms = choices().sufficient_reasons()
    start = time.perf_counter()
    first = list(islice(terms, 10))
    assert time.perf_counter() - start < 30
    assert len(set(first)) == 10
    assert all(len(term) == CLAUSES and term in terms for term in first)
    dear = {f"{letter}{i}": 2 for letter in "bc" for i in range(CLAUSES)}
    cheap = next(terms.cheapest(dear))
    assert set(cheap) == {f"a{i}" for i in range(CLAUSES)}
    assert terms.shortest() in terms


def test_a_sample_of_ten_to_the_20_has_no_favourites() -> None:
    terms, rng = choices().sufficient_reasons(), Random(7)
    drawn = [terms.sample(rng) for _ in range(300)]
    assert all(term in terms for term in drawn)
    assert len(set(drawn)) == 300
    for name in ("a0", "b20", "c41"):  # 100 are expected, with a standard deviation of 8.2
        assert 60 < sum(name in term for term in drawn) < 140


def test_len_refuses_what_it_cannot_say_and_text_stays_short() -> None:
    terms = choices().sufficient_reasons()
    with pytest.raises(OverflowError):
        len(terms)
    assert terms
    assert len(str(terms)) < 20_000
    assert f"{3**CLAUSES - 20:,} more" in str(terms)
    assert "109,418,989,131,512,359,209" in repr(terms)


def test_large_sets_are_compared_and_combined_without_listing_them() -> None:
    decision = choices()
    terms, again = decision.sufficient_reasons(), decision.sufficient_reasons()
    assert terms == again
    part = terms.containing("a3")
    assert part != terms
    assert (terms - part).count() == 2 * 3 ** (CLAUSES - 1)
    assert (terms - part) | part == terms
    assert not (terms - part) & part


def sets_of(decision: reasons.Decision) -> dict[str, Callable[..., reasons.TermSet]]:
    return {
        "sufficient": decision.sufficient_reasons,
        "contrastive": decision.contrastive_sets,
        "general": lambda budget: decision.sufficient_reasons(general=True, budget=budget),
        "primes": lambda budget: decision.classifier.prime_implicants(True, budget=budget),
    }


@pytest.mark.parametrize("which", ["sufficient", "contrastive", "general", "primes"])
@pytest.mark.parametrize("limit", [{"nodes": 50_000}, {"seconds": 0.2}, {"bytes": 10_000_000}])
def test_a_set_that_explodes_is_given_up_and_the_rest_still_answers(
    which: str, limit: dict[str, Any]
) -> None:
    decision = exploding()
    start = time.perf_counter()
    with pytest.raises(reasons.BudgetExceeded) as raised:
        sets_of(decision)[which](budget=reasons.Budget(**limit))
    assert time.perf_counter() - start < 60
    (resource,) = limit
    assert raised.value.spent[resource] > raised.value.spent["limit"]
    decision.classifier.circuit.check()
    reason = decision.sufficient_reason()
    assert decision.is_sufficient(reason)
    for name in reason:
        fewer = {other: value for other, value in reason.items() if other != name}
        assert not decision.is_sufficient(fewer)
    counterfactual = decision.counterfactual()
    assert counterfactual is not None
    assert counterfactual.cost == 2
    assert dict(decision.necessary_property) == {}


def test_a_budget_of_nodes_is_not_passed_by_far() -> None:
    for nodes in (5_000, 50_000, 200_000):
        with pytest.raises(reasons.BudgetExceeded) as raised:
            exploding().sufficient_reasons(budget=reasons.Budget(nodes=nodes))
        assert nodes < raised.value.spent["nodes"] <= 1.1 * nodes + 1_000


def test_a_search_of_a_shortest_reason_that_has_no_time_says_so() -> None:
    found = exploding().shortest_reason(budget=reasons.Budget(seconds=0.5))
    assert not found.proved
    assert found.at_least <= len(found.term)


SCRIPT = """
import sys
sys.path.insert(0, {path!r})
import reasons
from tests.unit.explain.test_many_reasons import exploding
decision = exploding()
print("ready", flush=True)
try:
    decision.sufficient_reasons(budget=reasons.Budget(nodes=None, bytes=6 << 30))
except KeyboardInterrupt:
    print("interrupted", len(decision.sufficient_reason()) > 0, flush=True)
"""


def test_ctrl_c_ends_the_building_of_a_set_and_leaves_the_decision_usable() -> None:
    script = SCRIPT.format(path=str(ROOT))
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            assert process.poll() is None, "the set did not explode"
            start = time.perf_counter()
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
            assert time.perf_counter() - start < 60
        finally:
            process.kill()
    assert output == "interrupted True\n"


MEETING = """
from random import Random
from reasons import _core

def counter(prime, last, rng, variables=60):
    '''The sets whose random weights add up to a multiple of a prime, with the last variable
    or without it.'''
    rows = [(variables - 1, 0, 1)] if last else []
    below = [0] * prime
    below[0] = 2 if last else 1
    for v in reversed(range(variables - 1)):
        weight = rng.randrange(1, prime)
        made = []
        for rest in range(prime):
            low, high = below[rest], below[(rest + weight) % prime]
            if high:
                rows.append((v, low, high))
            made.append(len(rows) + 1 if high else low)
        below = made
    nodes = b"".join(number.to_bytes(4, "little") for row in rows for number in row)
    return _core.Family.from_nodes(variables, nodes, below[0])

rng = Random(1)
one, other = counter(29, True, rng), counter(31, False, rng)
print(one.combined(other, 2, _core.Budget(None, None, 3.0)).root)
"""


def test_families_of_two_thousand_nodes_meet_within_the_budget() -> None:
    """Some 50,000 pairs of nodes, no result: the cache of operations must keep up with the work,
    not with the nodes made, and the clock must be looked at even if none is made."""
    answer = subprocess.run(
        [sys.executable, "-c", MEETING], capture_output=True, text=True, timeout=5, check=False
    )
    assert answer.stdout == "0\n" or "BudgetExceeded" in answer.stderr
