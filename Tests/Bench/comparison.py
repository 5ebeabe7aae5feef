"""Compares the lists of two pages row by row, and names the columns in which they differ."""
from html.parser import HTMLParser

# The largest difference in size, as a share, with which two pages count as the same.
ROOM = 0.1


class Table(HTMLParser):
    """The table of a page: the names of its columns, and the texts of each row."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.headings, self.rows, self._cell, self._inside = [], [], None, []
        self.feed(page)

    def handle_starttag(self, tag, _):
        if tag in ("thead", "tbody"):
            self._inside.append(tag)
        elif tag == "tr" and self._inside[-1:] == ["tbody"]:
            self.rows.append([])
        elif tag in ("th", "td") and self._inside:
            self._cell = []

    def handle_endtag(self, tag):
        if tag in ("thead", "tbody") and self._inside:
            self._inside.pop()
        elif tag in ("th", "td") and self._cell is not None and self._inside:
            text = " ".join("".join(self._cell).split())
            if self._inside[-1] == "thead":
                self.headings.append(text.rstrip(" ↓↑"))
            elif self.rows:
                self.rows[-1].append(text)
            self._cell = None
        elif self._cell is not None:
            # Separate the lines of a cell as words.
            self._cell.append(" ")

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)

    def column(self, name):
        at = self.headings.index(name)
        return [row[at] if at < len(row) else "" for row in self.rows]


def another_list(mine, theirs):
    """Returns the reason why two pages have different rows; None when the rows are the same, whatever their columns say."""
    ours, others = Table(mine), Table(theirs)
    if not ours.rows or not others.rows:
        return f"one of the pages has no rows ({len(ours.rows)} and {len(others.rows)})"
    first, second = [row[0] for row in ours.rows], [row[0] for row in others.rows]
    if first != second:
        at = next((n for n, pair in enumerate(zip(first, second)) if pair[0] != pair[1]), min(len(first), len(second)))
        return (f"the rows are others: from row {at + 1} on {first[at:at + 1]} and {second[at:at + 1]}, "
                f"of {len(first)} and {len(second)}")
    share = len(theirs) / len(mine)
    if abs(share - 1) > ROOM:
        return f"the peer's page has {len(theirs):,} bytes, the product's {len(mine):,}: {_lacking(mine, theirs)}"
    return None


def differing_columns(mine, theirs):
    """Returns the columns that differ between two pages with the same rows: (name, how)."""
    ours, others = Table(mine), Table(theirs)
    found = [(name, "the peer has no such column") for name in ours.headings if name not in others.headings]
    found += [(name, "only the peer has it") for name in others.headings if name not in ours.headings]
    for name in ours.headings:
        if name in others.headings:
            pairs = list(zip(ours.column(name), others.column(name)))
            wrong = [(at, pair) for at, pair in enumerate(pairs, 1) if pair[0] != pair[1]]
            if wrong:
                at, (here, there) = wrong[0]
                found.append((name, f"{len(wrong)} of {len(pairs)} rows differ, such as row {at}: “{here}” and “{there}”"))
    return found


def _lacking(mine, theirs):
    """Returns some of the lines that one page has and the other lacks."""
    ours, others = ([line.strip() for line in page.splitlines() if "csrf" not in line] for page in (mine, theirs))
    found = {"the product's": [line for line in ours if line not in others],
             "the peer's": [line for line in others if line not in ours]}
    return "; ".join(f"only {whose}: {' '.join(lines[:3])[:200]}" for whose, lines in found.items() if lines)
