"""Networks of torch, beside torch's own forward."""

from typing import Any

import numpy
import pytest

import reasons
from tests.support.models.bnn import all_rows, encoded

torch = pytest.importorskip("torch")

from torch import nn


class Sign(nn.Module):
    def forward(self, x: Any) -> Any:
        return x.sign()


class Binarize(nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.where(x >= 0, 1.0, -1.0).to(x.dtype)


class StepAtHalf(nn.Module):
    def forward(self, x: Any) -> Any:
        return (x > 0.5).to(x.dtype)


class BinarizeLinear(nn.Linear):
    """As in NPAQ: takes the signs of weights and inputs, and changes its own weights."""

    def forward(self, x: Any) -> Any:
        x.data = x.data.sign()
        weight: Any = self.weight
        if not hasattr(weight, "org"):
            weight.org = weight.data.clone()
        weight.data = weight.org.sign()
        return nn.functional.linear(x, weight) + self.bias


class BinaryLinear(nn.Linear):
    def forward(self, x: Any) -> Any:
        return nn.functional.linear(x, self.weight.sign(), self.bias)


class Odd(nn.Linear):
    def forward(self, x: Any) -> Any:
        return super().forward(x) ** 2


def norm(rng: numpy.random.Generator, width: int) -> Any:
    made: Any = nn.BatchNorm1d(width)
    with torch.no_grad():
        made.weight.copy_(torch.tensor(rng.choice([-1.5, -0.2, 0.0, 0.5, 2.0], width)))
        made.bias.copy_(torch.tensor(rng.normal(size=width)))
        made.running_mean.copy_(torch.tensor(rng.normal(size=width)))
        made.running_var.copy_(torch.tensor(rng.uniform(0.2, 3, width)))
    return made


def random_module(rng: numpy.random.Generator, count: int, outputs: int) -> Any:
    parts: list[Any] = []
    before = count
    binarizes = False
    for _ in range(rng.integers(0, 3)):
        width = int(rng.integers(1, 7))
        kind = [nn.Linear, BinaryLinear, BinarizeLinear][rng.integers(3)]
        if binarizes:
            kind = BinarizeLinear
        parts.append(kind(before, width))
        if rng.random() < 0.6:
            parts.append(norm(rng, width))
        if rng.random() < 0.3:
            parts.append(nn.Hardtanh())
        binarizes = rng.random() < 0.3
        if not binarizes:
            parts.append([Sign, Binarize, StepAtHalf][rng.integers(3)]())
        before = width
    parts.append(
        (BinarizeLinear if binarizes else [nn.Linear, BinaryLinear][rng.integers(2)])(
            before, outputs
        )
    )
    if rng.random() < 0.3 and outputs > 1:
        parts.append(norm(rng, outputs))
    if rng.random() < 0.3:
        parts.append(nn.LogSoftmax(dim=1) if outputs > 1 else Sign())
    return nn.Sequential(*parts)


def torch_labels(module: Any, rows: Any, inputs: str | None) -> list[Any]:
    dtype = next(module.parameters()).dtype
    with torch.no_grad():
        out = module(torch.tensor(encoded(rows, inputs), dtype=dtype))
    if out.shape[1] > 1:
        return out.argmax(dim=1).tolist()  # type: ignore[no-any-return]
    last = module[-1]
    test = out[:, 0] > 0 if isinstance(last, Sign) else out[:, 0] >= 0
    return test.tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("seed", range(80))
def test_random_modules_decide_every_input_as_torch_does(seed: int) -> None:
    rng = numpy.random.default_rng(seed)
    torch.manual_seed(seed)
    count, outputs = int(rng.integers(1, 8)), int(rng.integers(1, 5))
    module = random_module(rng, count, outputs).eval()
    if seed % 2:
        module = module.double()
    inputs: Any = [None, "01"][rng.integers(2)]
    rows = all_rows(count)
    wanted = torch_labels(module, rows, inputs)
    clf = reasons.compile(module, inputs=inputs)
    assert clf.predict(rows).tolist() == wanted
    assert reasons.check(clf, module)
    assert clf.notes[0].startswith("torch ")


def test_a_module_and_the_same_layers_make_the_same_classifier() -> None:
    torch.manual_seed(3)
    rng = numpy.random.default_rng(3)
    module = nn.Sequential(
        BinaryLinear(12, 8),
        norm(rng, 8),
        Binarize(),
        nn.Sequential(nn.Identity(), BinaryLinear(8, 4)),
    ).eval()
    arrays = {name: value.numpy() for name, value in module.state_dict().items()}
    layers = [
        reasons.bnn.Dense(arrays["0.weight"], arrays["0.bias"], binarize=True),
        reasons.bnn.BatchNorm(
            arrays["1.running_mean"], arrays["1.running_var"], arrays["1.weight"], arrays["1.bias"]
        ),
        reasons.bnn.Sign(),
        reasons.bnn.Dense(arrays["3.1.weight"], arrays["3.1.bias"], binarize=True),
    ]
    assert reasons.compile(module).equivalent(reasons.compile(layers))


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (nn.Sequential(nn.Linear(2, 2), nn.ReLU()), r"module 1 \(ReLU\) is not known"),
        (nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), "reads what is not binary"),
        (nn.Sequential(nn.Linear(2, 2), nn.Hardtanh(), nn.Linear(2, 2)), "is not binary"),
        (nn.Sequential(Sign(), nn.Linear(2, 2)), "comes before any Linear"),
        (nn.Sequential(nn.Linear(2, 2), Sign(), nn.ReLU()), "a Linear must come between"),
        (nn.Sequential(nn.Linear(2, 3), Sign(), nn.Linear(2, 2)), "2 inputs, but there are 3"),
        (nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)), "training mode"),
        (nn.Sequential(nn.Linear(2, 2), nn.Dropout()), "training mode"),
        (nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(3).eval()), "has 3 units after 2"),
        (
            nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2, track_running_stats=False).eval()),
            "no running statistics",
        ),
        (nn.Sequential(Odd(2, 2)), "neither its weights nor their signs"),
        (nn.Sequential(nn.Linear(2, 2).half()), "float32 or all float64"),
        (nn.Sequential(), "nothing"),
        (nn.ReLU(), "nothing"),
        (nn.Conv2d(1, 1, 2), r"module 0 \(Conv2d\) comes before any Linear"),
        (nn.Linear, "is a class"),
    ],
)  # fmt: skip
def test_other_modules_are_refused(module: Any, message: str) -> None:
    with pytest.raises(reasons.InputError, match=message):
        reasons.compile(module)


def test_numbers_that_are_not_finite_are_refused() -> None:
    module: Any = nn.Sequential(nn.Linear(2, 2))
    with torch.no_grad():
        module[0].weight[0, 0] = float("nan")
    with pytest.raises(reasons.InputError, match=r"0\.weight holds a number that is not finite"):
        reasons.compile(module)


def test_a_module_of_many_inputs_is_compiled_within_flips() -> None:
    torch.manual_seed(0)
    rng = numpy.random.default_rng(0)
    module = nn.Sequential(
        BinarizeLinear(100, 20), norm(rng, 20), nn.Hardtanh(), BinarizeLinear(20, 10)
    ).eval()
    image = rng.random(100) < 0.5
    clf = reasons.compile(module, region=reasons.bnn.Flips(image, 3))
    rows = numpy.repeat(image[None], 2_000, 0)
    for row in rows:
        row[rng.choice(100, rng.integers(0, 4), replace=False)] ^= True
    assert clf.predict(rows).tolist() == torch_labels(module, rows, None)
