"""How the columns of points tables are called, and what their readers take."""

COLUMNS = {
    "feature": ("feature", "variable", "characteristic", "name"),
    "bin": ("bin", "attribute", "value", "values", "range"),
    "points": ("points", "score"),
}
"""What the three columns may be called, in any case; others are left alone."""

OPTIONS = (
    *("threshold", "labels", "grades", "base", "special", "separator"),
    *("domain", "constraint", "missing", "method"),
)
"""What the reader of a file takes."""
