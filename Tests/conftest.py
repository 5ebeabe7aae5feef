"""What takes longest comes first, so that no worker begins with it when the others have nothing left to do."""


def pytest_configure(config):
    config.addinivalue_line("markers", "long: a module of a minute or more")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
