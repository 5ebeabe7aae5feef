"""The peer's list equals the product's row by row; a column in which they differ is named."""

from comparison import another_list, differing_columns

HEADINGS = ["Order", "Amount", "Customer", "Created ↓"]
ROWS = [["ORD-1", "18.00 CNY", "Ana o'neil", "1 Nov 2026 10:00"], ["ORD-2", "25.00 CNY", "李娜", "1 Nov 2026 10:01"]]


def page(headings=HEADINGS, rows=ROWS, around="x" * 2_000):
    head = "".join(f'<th scope="col"><a href="?sort">{name}</a></th>' for name in headings)
    body = "".join("<tr>" + "".join(f"<td><span class='c'>{cell}</span></td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<p>{around}</p><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"


def test_markup_and_entities_do_not_matter():
    other = page().replace("o'neil", "o&#39;neil").replace("18.00 CNY", "18.00 <small>CNY</small>")
    assert another_list(page(), other) is None
    assert differing_columns(page(), other) == []


def test_a_column_that_differs_is_named():
    rows = [ROWS[0], ["ORD-2", "25.00 EUR", "李娜", "1 Nov 2026 10:01"]]
    assert another_list(page(), page(rows=rows)) is None
    assert differing_columns(page(), page(rows=rows)) == [
        ("Amount", "1 of 2 rows differ, such as row 2: “25.00 CNY” and “25.00 EUR”")]


def test_columns_may_stand_in_another_order():
    turned = page([HEADINGS[0], *HEADINGS[:0:-1]], [[row[0], *row[:0:-1]] for row in ROWS])
    assert differing_columns(page(), turned) == []


def test_a_column_that_only_one_has_is_named():
    fewer = page(HEADINGS[:3], [row[:3] for row in ROWS])
    assert differing_columns(page(), fewer) == [("Created", "the peer has no such column")]
    assert differing_columns(fewer, page()) == [("Created", "only the peer has it")]


def test_other_rows_are_another_list():
    assert "from row 2 on ['ORD-2'] and ['ORD-3']" in another_list(page(), page(rows=[ROWS[0], ["ORD-3", *ROWS[1][1:]]]))
    assert "of 2 and 1" in another_list(page(), page(rows=ROWS[:1]))
    assert "no rows" in another_list(page(), "<p>Something went wrong</p>")


def test_a_page_of_another_size_is_another_page():
    assert another_list(page(), page(around="x" * 1_900)) is None
    why = another_list(page(around="<li>Usage</li>\n" + "x" * 2_000), page(around="x" * 100))
    assert "bytes" in why and "Usage" in why
