"""What a sentence supposes ("income were above 20"), read back as a term of the grammar."""

import re

_ABOVE = r"(?:(?P<above>above|at least) (?P<low>\S+))"
_BELOW = r"(?:(?P<below>at most|below) (?P<high>\S+))"
_NUMBERS = re.compile(rf"{_ABOVE}?(?: and )?{_BELOW}?")


def as_term(text: str) -> str:
    """The term that a supposition about one feature means.

    >>> as_term("E were false"), as_term("job were clerk or nurse"), as_term("age were not missing")
    ('~E', 'job in {clerk, nurse}', 'age is not missing')
    >>> as_term("age were at least 10 and below 20, above 70 or missing")
    'age in {[10, 20), (70, inf), <missing>}'
    """
    name, values = text.split(" were ")
    if values in ("true", "false"):
        return name if values == "true" else f"~{name}"
    if values == "not missing":
        return f"{name} is not missing"
    return f"{name} in {{{', '.join(_value(each) for each in re.split(', | or ', values))}}}"


def _value(text: str) -> str:
    numbers = _NUMBERS.fullmatch(text)
    if numbers is None:
        return "<missing>" if text == "missing" else text
    low = f"{'(' if numbers['above'] == 'above' else '['}{numbers['low']}"
    high = f"{numbers['high']}{']' if numbers['below'] == 'at most' else ')'}"
    left = low if numbers["above"] else "(-inf"
    return f"{left}, {high if numbers['below'] else 'inf)'}"
