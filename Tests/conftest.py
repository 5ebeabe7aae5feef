"""Runs the longest modules first, so that no worker begins one when the others have nothing left to do. Data that many tests need
is prepared once in a run (`prepared`)."""

import os

import prepared
import scale


def pytest_configure(config):
    config.addinivalue_line("markers", "long: a module of a minute or more")
    # All workers use one day, also around midnight.
    os.environ.setdefault("PERENNIAL_SAMPLE", str(scale.DAY))
    folder = prepared.folder()
    folder.__enter__()
    config.add_cleanup(lambda: folder.__exit__(None, None, None))


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
