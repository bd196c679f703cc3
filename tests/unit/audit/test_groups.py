"""Groups of rows by values that the model uses or does not."""

import polars
import pyarrow as pa

import reasons


def test_groups_of_a_feature_that_the_model_does_not_use_are_the_data_s_own() -> None:
    from sklearn.tree import DecisionTreeClassifier

    sex, exam = [0, 1] * 40, [10, 60, 70, 20] * 20
    frame = polars.DataFrame({"exam": exam, "sex": sex})
    tree = DecisionTreeClassifier(max_depth=1).fit(frame.to_pandas(), [x > 40 for x in exam])
    found = reasons.audit(
        reasons.compile(tree), frame, protected={"sex": ["sex"], "both": ["sex", "exam"]}
    )
    assert found.table.column("group_sex").to_pylist() == [str(x) for x in sex]
    assert found.table.column("biased_sex").to_pylist() == [False] * 80
    told = found.summary.as_dict()
    column = next(x for x in told["impact"]["columns"] if x["column"] == "sex")
    for group in column["groups"]:
        own = [e for s, e in zip(sex, exam, strict=True) if str(s) == group["group"]]
        assert group["says"] == f"sex = {group['group']}"
        assert group["rate"] == sum(e > 40 for e in own) / len(own)
    assert [group["rows"] for group in column["groups"]] == [40, 40]
    for pattern, seen in found.summary.tally.patterns.items():
        first = found.table.column("label").to_pylist().index(pattern.label)
        assert seen.first == first


def test_a_feature_of_which_only_missing_values_matter_has_its_own_groups_and_witnesses() -> None:
    features = [
        reasons.Feature.boolean("a"),
        reasons.Feature.numeric("n", cuts=[], missing=True),
    ]
    classifier = reasons.compile(
        lambda row: row["a"] and row["n"] is None, features=features, rows="mapping"
    )
    data = pa.table({"a": [True, True, True, False], "n": [2.5, None, 7.0, None]})
    found = reasons.audit(classifier, data, protected="n", favourable=True)
    missing, number = classifier.features[1].says((1,)), classifier.features[1].says((0,))
    assert found.table.column("group_n").to_pylist() == ["2.5", missing, "7.0", missing]
    assert found.table.column("biased").to_pylist() == [True, True, True, False]
    told = {(p.before, p.after): seen for p, seen in found.summary.tally.patterns.items()}
    assert {pair: seen.rows for pair, seen in told.items()} == {
        ((number,), (missing,)): 2,
        ((missing,), (number,)): 1,
    }
    groups = found.summary.as_dict()["impact"]["columns"][0]["groups"]
    assert {group["says"]: group["rate"] for group in groups} == {
        "n = 2.5": 0.0,
        "n = 7.0": 0.0,
        missing: 0.5,
    }


def test_a_row_that_cannot_be_read_has_no_group() -> None:
    features = [reasons.Feature.boolean("a"), reasons.Feature.numeric("n", cuts=[])]
    classifier = reasons.compile(lambda row: row["a"], features=features, rows="mapping")
    data = pa.table({"a": [True, True, True], "n": ["1", "one", None]})
    found = reasons.audit(classifier, data, protected="n").table
    assert found.column("problem").is_valid().to_pylist()[1:] == [True, True]
    assert found.column("group_n").to_pylist()[1:] == [None, None]
