"""The pictures of the README and the handbook show pages that exist."""

import re

from demo_server import REPOSITORY
from pictures import IN_THE_DARK, IN_THE_SHOPS, LARGEST, SIZE, pages

DOCUMENTS = [REPOSITORY / "README.md", REPOSITORY / "docs" / "desk.md"]


def linked(document):
    """Returns the pictures of a document."""
    return {(document.parent / path).resolve() for path in re.findall(r"!\[[^]]+\]\(([^)]+\.png)\)", document.read_text())}


def test_each_page_that_is_photographed_opens_and_makes_a_small_picture(page, server, known):
    page.set_viewport_size(SIZE)
    for name, path in pages(server).items():
        assert page.goto(path).status == 200, name
        assert len(page.screenshot()) < LARGEST, name


def test_every_picture_is_shown_and_every_picture_shown_is_there(server, known):
    taken = {REPOSITORY / "docs" / "images" / f"{name}.png" for name in (*pages(server), *IN_THE_SHOPS)}
    taken |= {REPOSITORY / "docs" / "images" / "dark" / f"{name}.png" for name in IN_THE_DARK}
    assert set().union(*(linked(document) for document in DOCUMENTS)) == taken
    assert all(path.is_file() for path in taken)
