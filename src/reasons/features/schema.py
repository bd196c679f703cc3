"""The features of one classifier, in order, found by name."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reasons.errors import InputError, UnknownFeature
from reasons.features.feature import Feature, is_list
from reasons.text import short_repr


def listed_features(features: Any) -> Any:
    """The features or names, or `InputError` where they are not a list."""
    if not is_list(features):
        raise InputError(
            "{option} is a list of features or names, not {value}",
            option="features",
            value=features,
        )
    return features


def _feature_of(feature: Any) -> Feature:
    if isinstance(feature, str):
        return Feature.boolean(feature)
    if isinstance(feature, Feature):
        return feature
    raise InputError(
        f"{short_repr(feature)} is not a feature; give a name (of a Boolean one), "
        "Feature.numeric(...) or Feature.categorical(...)"
    )


class Schema(Sequence[Feature]):
    """The features of one classifier, in order, found by name."""

    def __init__(self, features: Iterable[Feature | str]) -> None:
        self._features = tuple(map(_feature_of, listed_features(features)))
        self._index = {feature.name: i for i, feature in enumerate(self._features)}
        if len(self._index) != len(self._features):
            names = Counter(feature.name for feature in self._features)
            raise InputError(f"two features are named {names.most_common(1)[0][0]!r}")

    def __getitem__(self, index: Any) -> Any:
        return self._features[index]

    def __len__(self) -> int:
        return len(self._features)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self._features == other._features

    def __hash__(self) -> int:
        return hash(self._features)

    def knows(self, name: object) -> bool:
        """Whether there is a feature of this name."""
        return name in self._index

    @property
    def names(self) -> tuple[str, ...]:
        """The features' names in order."""
        return tuple(self._index)

    def index(self, name: Any, *_: Any) -> int:
        """The position of a named feature, or `UnknownFeature`."""
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise UnknownFeature(name, self._index) from None

    def costs(self, costs: Mapping[str, float] | None) -> dict[int, float]:
        """Costs by the positions of features; each must be a positive, finite number."""
        found = {}
        for name, cost in (costs or {}).items():
            if (
                isinstance(cost, bool)
                or not isinstance(cost, int | float)
                or not 0 < cost < math.inf
            ):
                raise InputError(f"the cost of {name!r} must be a positive number, not {cost!r}")
            found[self.index(name)] = float(cost)
        return found

    def indices(self, names: Iterable[str] | str) -> list[int]:
        """The positions of several; a single name is one of them."""
        if not isinstance(names, Iterable):
            raise InputError(
                f"features are named as 'age' or ['age', 'sex'], not {short_repr(names)}"
            )
        return [self.index(name) for name in ([names] if isinstance(names, str) else names)]
