"""Files that survive a spreadsheet and come back: nothing is evaluated, nothing is changed, whatever separates the cells.

The customers of the desk are called what people who attack, and people who count, would be called. Every spreadsheet of `spreadsheet.py`
opens the files, and LibreOffice itself opens and saves them where it is installed.
"""

import csv
import io
import re
import shutil
import subprocess

import pytest

import sample_data
import scale
import spreadsheet

pytestmark = pytest.mark.read_only

NAMES = [
    "Ada;=1+2", "ok;@SUM(1)", "\n=1+2", "\u00a0=1+2", "\uff1d1+2", "\t=1+2", "x\n=1+2", 'y;"=1+2', "=HYPERLINK(\"http://a.test\")",
    "+905550001122", "-77", "@ada", "=a1", "'=b", "'tis", "007", "1E5", "3/4", "MAR1", "true", "2000000796570433",
    "4200002123202611281234567890", "0042 7", "12:30", "5%", "1.50", "\uff11\uff12", "u;-1", "Ada, \"Countess\"",
    "MRZ4", "Mai 5", "WAHR", "DOĞRU", "5 p", "10:30 öö", "下午5:00", "\uff11\uff25\uff15", "€5", "1.234,50", "(77)", "\u200b=1", "=1\r\n=2",
    "محمد =1", "\u202e=1", "Ｐｌａｎ", "Şule;@x", "5E-7",
]
SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
# How LibreOffice is told the separator, the quotation mark, and UTF-8.
SEPARATORS = {",": 44, ";": 59, "\t": 9}


def convert(folder, file, kind, options, name):
    """Has LibreOffice open a file and save it as another kind; returns the new file."""
    out = folder / name
    out.mkdir()
    command = [
        "soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", kind,
        f"--infilter=Text - txt - csv (StarCalc):{options}", "--outdir", str(out), str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return next(out.iterdir())


@pytest.fixture(scope="module")
def named(server):
    """Gives customers names, and ids of their app, that a spreadsheet would evaluate or change; puts their own back."""
    people = [customer for customer, _ in sample_data.new_customers(server, len(NAMES))]
    for customer, name in zip(people, NAMES, strict=True):
        text = name.replace("'", "''")
        server.sql(f"UPDATE customers SET name = '{text}', external_id = '{text}' WHERE id = '{customer}'")
    yield dict(zip(people, NAMES, strict=True))
    server.sql("UPDATE customers SET name = NULL, external_id = NULL WHERE id = ANY (ARRAY["
               + ", ".join(f"'{customer}'" for customer in people) + "]::uuid[])")


@pytest.fixture(scope="module")
def exported(named, windows):
    page = windows.borrow("admin", java_script_enabled=True).page
    return page.request.get("/dashboard/exports/customers").body()


def test_a_semicolon_makes_a_new_cell_and_a_formula(exported):
    """No cell of any reading begins with a sign that spreadsheets evaluate; amounts are numbers."""
    text = exported.decode("utf-8-sig")
    for separator in SEPARATORS:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            assert not [cell for cell in row if cell.startswith(SIGNS)], row
    # Also where quotation marks mean nothing any more.
    for line in re.split(r"[\r\n]+", text):
        assert not [cell for cell in re.split(r'[;\t]', line)[1:] if cell.lstrip('" \u00a0\u3000').startswith(SIGNS)], line


@pytest.mark.parametrize("program", spreadsheet.PROGRAMS, ids=lambda program: program.name)
def test_every_text_comes_back_from_every_spreadsheet(exported, named, program):
    """A column of text is text to the program, or digits that it writes as they came; and nothing anywhere is a formula."""
    text = exported.decode("utf-8")
    for separator in program.separators:
        for row in program.open(text, separator):
            assert not [cell for cell in row if program.kind(cell) == "formula"], row
        rows = spreadsheet.Program.open(program, text, ",")
        given = io.StringIO(newline="")
        csv.writer(given, delimiter=separator, lineterminator="\r\n").writerows(rows)
        back = program.open(given.getvalue(), separator)
        assert back[0] == rows[0]
        texts = [index for index, name in enumerate(rows[0]) if name in ("customer_key", "external_id", "name", "email", "last_order", "store")]
        assert len(texts) == 6
        for row in back[1:]:
            for index in texts:
                assert program.saved(row[index]) == row[index], row[index]


@pytest.mark.parametrize("name", ["orders", "customers", "subscriptions", "refunds?status=all", "ledger", "access-changes", "monthly-revenue"])
def test_each_column_is_one_kind_of_thing_to_every_spreadsheet(windows, named, name):
    """Ids and codes are text; amounts, counts, days and times are values, so that they can be added and sorted; nothing is evaluated."""
    page = windows.borrow("admin", java_script_enabled=True).page
    rows = list(csv.DictReader(io.StringIO(page.request.get(f"/dashboard/exports/{name}").body().decode("utf-8-sig"), newline="")))
    assert rows, name
    american = spreadsheet.PROGRAMS[0]
    for column in rows[0]:
        cells = [row[column] for row in rows if row[column]]
        if column.endswith(("_at", "_from", "_until")) or column == "at":
            assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", cell) for cell in cells), column
        elif column in ("month", "day", "first_seen"):
            assert all(re.fullmatch(r"\d{4}-\d\d(-\d\d)?", cell) for cell in cells), column
        elif american.is_number("".join(cells[:1])) and not cells[0].startswith("'") and column not in ("external_id", "customer_key"):
            assert all(re.fullmatch(r"-?\d+(\.\d+)?", cell) for cell in cells), column
        else:
            for program in spreadsheet.PROGRAMS:
                assert not [cell for cell in cells if program.saved(cell) != cell], (program.name, column)


def separators():
    """Returns all of them; the sample has one a day."""
    return list(SEPARATORS) if scale.WHOLE else [list(SEPARATORS)[scale.turn("spreadsheets", len(SEPARATORS))]]


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed: bin/setup --office")
@pytest.mark.parametrize("separator", separators(), ids=lambda separator: {",": "comma", ";": "semicolon"}.get(separator, "tab"))
def test_files_open_in_libreoffice_and_come_back_unchanged(exported, named, tmp_path, separator):
    code = SEPARATORS[separator]
    own = tmp_path / "own.csv"
    own.write_bytes(exported)
    sheet = convert(tmp_path, own, "fods", f"{code},34,76,1", "sheet")
    assert "table:formula" not in sheet.read_text()
    rows = list(csv.reader(io.StringIO(exported.decode("utf-8-sig"), newline="")))
    given = tmp_path / "given.csv"
    with open(given, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
    saved = convert(tmp_path, given, f"csv:Text - txt - csv (StarCalc):{code},34,76,1,,0,false,true", f"{code},34,76,1", "saved")
    back = list(csv.reader(io.StringIO(saved.read_text("utf-8-sig"), newline=""), delimiter=separator))
    # LibreOffice writes the line breaks of a cell as LF.
    assert back == [[cell.replace("\r\n", "\n") for cell in row] for row in rows]
    place = rows[0].index("customer_id"), rows[0].index("external_id")
    found = {row[place[0]]: row[place[1]] for row in back[1:]}
    for customer, name in named.items():
        if not re.search(r'[;\t\n"]', name):
            assert found[customer] in (name, "'" + name), name


def test_excel_eats_the_last_digits_of_ids_and_is_told(page, named):
    """An id that a spreadsheet has shortened is refused by name."""
    page.goto("/dashboard/bulk/new")
    page.locator("input[name=kind][value=grant]").check()
    page.get_by_label("Plan", exact=True).select_option("PRO")
    page.get_by_label("Days", exact=True).fill("7")
    page.get_by_label("Or paste customers").fill("'007\n2.00000079657E+15")
    page.get_by_label("Category").select_option("testing")
    page.get_by_label("Reason").fill("Only looked at, never started.")
    page.get_by_role("button", name="Start dry run").click()
    assert page.get_by_text("Line 2: “2.00000079657E+15” was a longer number").count() >= 1


def test_the_apostrophe_of_the_export_comes_back_with_the_import(page, exported, named):
    """The file itself, unchanged, names every customer."""
    page.goto("/dashboard/bulk/new")
    page.locator("input[name=kind][value=grant]").check()
    page.get_by_label("Plan", exact=True).select_option("PRO")
    page.get_by_label("Days", exact=True).fill("7")
    ids = [row["external_id"] for row in csv.DictReader(io.StringIO(exported.decode("utf-8-sig"), newline="")) if row["customer_id"] in named]
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([["external_id"], *([cell] for cell in ids)])
    page.get_by_label("File").set_input_files({"name": "ids.csv", "mimeType": "text/csv", "buffer": text.getvalue().encode()})
    page.get_by_label("Category").select_option("testing")
    page.get_by_label("Reason").fill("Only looked at, never started.")
    page.get_by_role("button", name="Start dry run").click()
    page.locator("h1 .status", has_text=re.compile("^Ready to start$")).wait_for(timeout=30_000)
    missing = page.get_by_role("link", name=re.compile("^Not found"))
    # A blank around an id is no part of it.
    assert missing.count() == 0 or int(missing.inner_text().split()[-1]) <= sum(name != name.strip() for name in NAMES)
