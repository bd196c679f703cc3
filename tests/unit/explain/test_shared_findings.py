"""What a decision found is not searched for again; limits are limits."""

from typing import Any

import pytest

import reasons
from reasons import Budget, BudgetExceeded, InputError
from reasons.search.backend import EnsembleBackend

sklearn = pytest.importorskip("sklearn.ensemble")


def searched() -> reasons.Classifier:
    rows = [[i % 7, i // 7, (i * i) % 5] for i in range(49)]
    labels = [sum(row) % 3 > 0 for row in rows]
    model = sklearn.RandomForestClassifier(9, random_state=0).fit(rows, labels)
    return reasons.compile(model, method="search")


def test_one_sufficient_reason_serves_the_reason_its_widening_and_the_sentences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []
    real = EnsembleBackend.sufficient_reason

    def counted(
        self: EnsembleBackend, cells: Any, label: int, order: Any, budget: Any = None
    ) -> list[int]:
        calls.append((tuple(cells), tuple(order)))
        return real(self, cells, label, order, budget)

    monkeypatch.setattr(EnsembleBackend, "sufficient_reason", counted)
    decision = searched().decide([1, 2, 3])
    simple, wide = decision.sufficient_reason(), decision.sufficient_reason(general=True)
    assert decision.statements()
    assert calls.count((tuple(decision.instance.cells), (2, 1, 0))) == 1
    assert set(simple) == set(wide) == set(decision.sufficient_reason(general="unions"))


def test_a_preference_is_not_answered_from_memory() -> None:
    clf = reasons.compile("a & b | c")
    decision = clf.decide("a, b, c")
    assert set(decision.sufficient_reason()) != set(decision.sufficient_reason(prefer=["c"])) or (
        set(decision.sufficient_reason()) != set(decision.sufficient_reason(prefer=["a", "b"]))
    )


@pytest.mark.parametrize("general", ["union", "yes", 2, None, "True"])
def test_an_unknown_widening_is_an_error(general: Any) -> None:
    decision = reasons.compile("a & b").decide("a, b")
    with pytest.raises(InputError, match="general="):
        decision.sufficient_reason(general=general)


def test_a_counterfactual_keeps_its_budget() -> None:
    decision = searched().decide([1, 2, 3])
    change = decision.counterfactual(budget=Budget(seconds=60))
    assert change == decision.counterfactual()
    with pytest.raises(BudgetExceeded):
        decision.counterfactual(budget=Budget(seconds=1e-9))
    assert reasons.compile("a & b").decide("a, b").counterfactual(budget=Budget()) is not None
