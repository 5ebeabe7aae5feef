"""The expected shape of an answer, member by member, and the differences from it."""

import json
import re

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z")
_MILLISECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_SECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Kind:
    """A type of a document; `kind.or_null` where the document writes `?`."""

    def __init__(self, name, holds):
        self.name, self.holds = name, holds

    @property
    def or_null(self):
        return Kind(f"{self.name} or null", lambda value: value is None or self.holds(value))


def _of(name, pattern):
    return Kind(name, lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None)


def matching(pattern):
    return _of(f"a text like {pattern}", re.compile(pattern))


def one_of(*words):
    return Kind(f"one of {', '.join(map(str, words))}", lambda value: value in words)


def near(number):
    return Kind(f"{number}", lambda value: isinstance(value, int | float) and abs(value - number) < 1e-9)


text = Kind("a text", lambda value: isinstance(value, str) and value != "")
any_text = Kind("a text", lambda value: isinstance(value, str))
uuid = _of("a UUID", _UUID)
time = _of("a time of ISO 8601 in UTC", _TIME)
milliseconds = _of("a time with milliseconds", _MILLISECONDS)
seconds = _of("a time without fractions", _SECONDS)
integer = Kind("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool))
number = Kind("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool))
boolean = Kind("true or false", lambda value: isinstance(value, bool))
null = Kind("null", lambda value: value is None)


class Each:
    """A list of at least so many items, each of that shape."""

    def __init__(self, shape, least=1):
        self.shape, self.least = shape, least


def like(example):
    """Returns the shape of a document's JSON example: every member, with its type and format there."""
    return _like(json.loads(example))


def _like(value):
    match value:
        case dict():
            return {name: _like(member) for name, member in value.items()}
        case list():
            return Each(_like(value[0]))
        case bool():
            return boolean
        case int() | float():
            return number
        case str() if _MILLISECONDS.fullmatch(value):
            return milliseconds
        case str() if _TIME.fullmatch(value):
            return time
        case str():
            return text
    return null


def differences(value, shape, adds=(), path="answer"):
    """Returns the members that are missing, or of another type, format or value; and those that are not listed in `adds`."""
    match shape:
        case dict():
            return _of_object(value, shape, adds, path)
        case Each():
            if not isinstance(value, list) or len(value) < shape.least:
                return [f"{path} is no list of {shape.least} or more but {_shown(value)}"]
            return [one for place, each in enumerate(value) for one in differences(each, shape.shape, adds, f"{path}[{place}]")]
        case list():
            if not isinstance(value, list) or len(value) != len(shape):
                return [f"{path} is no list of {len(shape)} but {_shown(value)}"]
            pairs = enumerate(zip(value, shape, strict=True))
            return [one for place, (each, wanted) in pairs for one in differences(each, wanted, adds, f"{path}[{place}]")]
        case Kind():
            return [] if shape.holds(value) else [f"{path} is {_shown(value)}, not {shape.name}"]
    same = value == shape and isinstance(value, bool) == isinstance(shape, bool)
    return [] if same else [f"{path} is {_shown(value)}, not {_shown(shape)}"]


def _of_object(value, shape, adds, path):
    if not isinstance(value, dict):
        return [f"{path} is no object but {_shown(value)}"]
    found = [f"{path}.{name} is missing" for name in shape if name not in value]
    found += [f"{path}.{name} is not in the document, and not listed" for name in value if name not in shape and name not in adds]
    for name, wanted in shape.items():
        if name in value:
            found += differences(value[name], wanted, adds, f"{path}.{name}")
    return found


def _shown(value):
    return json.dumps(value, ensure_ascii=False)[:200]
