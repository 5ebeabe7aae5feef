"""One server with the demo's orders, for the checks of the admin API."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Browser"))

from demo_server import DemoServer  # noqa: E402


@pytest.fixture(scope="session")
def server():
    running = DemoServer(customers=40)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def token(server):
    return server.run("staff", "token", "admin@demo.test", "--name", "contract").split()[-1]
