"""What spreadsheets take the cells of a CSV file for, and what they write when they save it, as their makers document it.

Excel: "Import or export text (.txt or .csv) files", "Keep leading zeros and large numbers", "Stop automatically changing numbers to
dates", "Excel specifications and limits" (15 digits) of support.microsoft.com. LibreOffice Calc Guide, "Importing a CSV file", without
"Quoted field as text", which is off at first. Numbers User Guide, "Import a comma-separated or tab-separated file". None of the three
takes a quotation mark for a sign of text, and none takes an apostrophe off that stands in a file.
"""

import csv
import io
import re
import unicodedata
from dataclasses import dataclass

BLANKS = "\t\n\r \u00a0\u2002\u2003\u2009\u200b\u200e\u200f\u202f\u2060\u3000\ufeff"
ENGLISH = "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september october november december".split()
TURKISH = "oca şub mar nis may haz tem ağu eyl eki kas ara ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık".split()
GERMAN = "jän mrz mär mai okt dez januar februar märz april juni juli august september oktober november dezember".split()


@dataclass(frozen=True)
class Program:
    """A spreadsheet on a computer of some country."""

    name: str
    separators: str
    decimal: str = "."
    grouping: str = ","
    months: tuple = tuple(ENGLISH)
    truths: tuple = ("true", "false")
    halves: tuple = ("am", "pm")
    # East Asian ones read wide digits and signs like the narrow ones.
    folds_width: bool = False
    marks: str = "$€£¥%()"

    def open(self, text, separator):
        """Returns the cells, as a person finds them who double-clicks the file or chooses the separator."""
        return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator))

    def kind(self, cell):
        """Says what a cell is taken for: text, number, date, truth or formula."""
        text = cell.strip(BLANKS)
        if self.folds_width:
            text = unicodedata.normalize("NFKC", text)
        if not text:
            return "text"
        if self.is_number(text):
            return "number"
        if text[0] in "=+-@":
            return "formula"
        if text.casefold() in self.truths:
            return "truth"
        return "date" if self.is_date(text.casefold()) else "text"

    def is_number(self, text):
        """Also of money, of percents, with an exponent, and a negative one in parentheses."""
        bare = text.strip(self.marks + " +-")
        digits = rf"[0-9]+({re.escape(self.grouping)}[0-9]{{3}})*"
        point = re.escape(self.decimal)
        return bool(re.fullmatch(rf"({digits}({point}[0-9]*)?|{point}[0-9]+)([eE][+-]?[0-9]+)?", bare))

    def is_date(self, text):
        """Days, months with a day or a year, times, and what is both; also fractions, which look alike."""
        text = re.sub(r"[年月日时時分秒]", "/", text).strip("/ ")
        if text.startswith(("上午", "下午")):
            text = text[2:]
        if re.fullmatch(r"\d{1,2}(:\d\d)* [ap]", text):
            return True
        words = re.findall(r"[^\W\d_]+", text)
        if not re.search(r"\d", text) or re.search(r"[^\w\s.,:/\-]", text):
            return False
        known = set(self.months) | set(self.halves) | {"t", "z"}
        return all(word in known for word in words) and len(re.findall(r"\d+", text)) <= 8 and (
            bool(words) or bool(re.search(r"[./:\-\s]", text)))

    def saved(self, cell):
        """Returns what stands in the file when the program has saved it; None where the text is lost."""
        kind = self.kind(cell)
        if kind == "text":
            return cell
        text = cell.strip(BLANKS)
        if kind == "number" and re.fullmatch(r"[1-9][0-9]{0,14}|0", text):
            return text
        return None


PROGRAMS = [
    Program("Excel in the United States", ",\t"),
    Program("Excel in Germany", ";\t", ",", ".", tuple(ENGLISH + GERMAN), ("wahr", "falsch", "true", "false")),
    Program("Excel in Turkey", ";\t", ",", ".", tuple(ENGLISH + TURKISH), ("doğru", "yanlış", "yanliş", "true", "false"), ("öö", "ös", "am", "pm")),
    Program("Excel in China", ",\t", folds_width=True),
    Program("LibreOffice", ",;\t"),
    Program("Numbers", ",;\t"),
]
