"""The first look at a demo: a visitor who comes while it fills reads its progress, and can sign in."""

import http.cookiejar
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.parse
import urllib.request

import pytest

from demo_server import PASSWORD, REPOSITORY, binary

# Enough customers that filling takes longer than signing in.
CUSTOMERS = 500


@pytest.fixture
def begun():
    """Starts a demo on a port that the system chooses; yields its process."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="perennial-"))
    # The cluster may belong to another account, which has to reach its directory through this one.
    home.chmod(0o711)
    settings = {
        "PERENNIAL_STATE": str(home / "state"),
        "PERENNIAL_HOST": "127.0.0.1",
        "PERENNIAL_PORT": "0",
        "PERENNIAL_DEMO_PASSWORD": PASSWORD,
    }
    environment = {name: value for name, value in os.environ.items() if name != "PERENNIAL_DATABASE_URL"}
    process = subprocess.Popen(
        [binary(), "demo", "--customers", str(CUSTOMERS)],
        cwd=REPOSITORY,
        env=environment | settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(home, ignore_errors=True)


def test_whoever_comes_while_it_fills_reads_how_far_it_is_and_signs_in(begun):
    said = []
    while not (address := re.search(r"Sign in at (http://\S+)", "".join(said))):
        line = begun.stdout.readline()
        assert line, f"it ended before it served: {said}"
        said.append(line)
    assert any("Starting the database" in line for line in said)
    assert not any("Perennial is ready" in line for line in said)
    url = address.group(1)
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    entrance = browser.open(f"{url}/dashboard/sign-in", timeout=300).read().decode()
    assert re.search(r"filling, \d\d?% when this page was loaded", entrance)
    assert re.match(r"ready; filling the demo's data, \d\d? %\n$", browser.open(f"{url}/readyz", timeout=300).read().decode())

    token = re.search(r'name="csrf" value="([^"]+)"', entrance).group(1)
    form = urllib.parse.urlencode({"csrf": token, "email": "admin@demo.test", "password": PASSWORD}).encode()
    inside = browser.open(f"{url}/dashboard/sign-in", form, timeout=300).read().decode()
    assert "Lin Wei" in inside
    assert re.search(r"filling, \d\d?% when this page was loaded", inside)

    begun.terminate()
    assert begun.wait(300) == 0, "told to stop while it filled, it did not end in order"
