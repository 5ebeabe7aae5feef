"""The cases of all documents, and their table in docs/api/README.md."""

import dataclasses
import inspect
from collections.abc import Callable

DOCUMENTS = {
    "readmigo": "readmigo-subscription-system.md",
    "lightgallery": "lightgallery-auth-and-subscription.md",
    "llm-proxy": "llm-proxy-ios-subscriptions.md",
    "kombin": "kombin-premium-membership.md",
    "swift-iap-framework": "swift-iap-framework.md",
}
CASES = []


@dataclasses.dataclass(frozen=True)
class Case:
    document: str
    section: str
    """As the document titles it."""
    calls: tuple
    walk: Callable
    adds: tuple
    """Members of the answers that the document does not have."""
    differs: str | None
    """The reason why the product differs from the document; None where it does not."""

    @property
    def id(self):
        return f"{self.document}/{self.walk.__name__.replace('_', '-')}"

    @property
    def row(self):
        """The case's line in the table."""
        calls = "<br>".join(f"`{call}`" for call in self.calls)
        extra = f"same; more: {', '.join(f'`{name}`' for name in self.adds)}" if self.adds else "same"
        said = f"differs: {self.differs}" if self.differs else extra
        return f"| {self.section} | {calls} | {self.id.split('/')[1]} | {said} |"


class Document:
    """Registers the cases of a module under its document."""

    def __init__(self, name):
        self.name = name

    def case(self, section, *calls, adds="", differs=None):
        def add(walk):
            assert inspect.getdoc(walk), f"{walk.__name__} does not say what it compares"
            CASES.append(Case(self.name, section, calls, walk, tuple(adds.split()), differs))
            return walk
        return add


def table():
    """Returns the whole table in Markdown."""
    lines = []
    for name, file in DOCUMENTS.items():
        lines += ["", f"### {name} (`{file}`)", "", "| section | call | case | the answer |", "| --- | --- | --- | --- |"]
        lines += [case.row for case in CASES if case.document == name]
    return "\n".join(lines[1:]) + "\n"
