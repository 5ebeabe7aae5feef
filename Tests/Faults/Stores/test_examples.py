"""The commands of the README and of the documentation run as they are pasted."""

import re
import subprocess

import pytest

from installation import BINARY, REPOSITORY, Installation

PAGES = [
    REPOSITORY / page for page in ["README.md", "docs/first-purchase.md", "docs/api/apps.md"]
]
# They made the installation, build something else, or go on until they are stopped; another test each runs them.
BEGINNINGS = ("bin/demo", "bin/test", "bin/release", "export PATH", "perennial serve", "perennial catalog apply Catalogs/readmigo.yaml")
PASSWORD = "correct horse battery\n"


def commands(page):
    """Returns the blocks of shell of a page, each a list of its commands without those that made the installation."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL)
    lines = ([line.strip() for line in block.replace("\\\n", " ").splitlines()] for block in blocks)
    return [kept for block in lines if (kept := [line for line in block if line and not line.startswith(BEGINNINGS)])]


EXAMPLES = [(page.name, block) for page in PAGES for block in commands(page)]


@pytest.fixture(scope="module")
def demo():
    """A server with the demo's app and an order of its, as far as the examples go."""
    made = Installation()
    try:
        made.start()
        made.do("catalog", "apply", "Catalogs/readmigo.yaml", "--simulator", made.do("simulate", "apple", "keys"))
        made.do("simulate", "apple", "--customers", "20", "--to", made.server.url)
        made.settle()
        made.do("staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input=PASSWORD)
        made.do("token", "--app", "readmigo", "--customer", "examples")
        yield made
    finally:
        made.remove()


@pytest.mark.parametrize("block", [block for _, block in EXAMPLES], ids=[f"{page}-{block[0][:40]}" for page, block in EXAMPLES])
def test_the_commands_of_a_page_run_as_pasted(demo, block):
    key = demo.do("staff", "token", "issue", "ada@example.com", "--name", "examples").split()[-1]
    order = demo.sql("SELECT number FROM orders ORDER BY id LIMIT 1")[0]
    customer = demo.sql("SELECT id FROM customers WHERE external_id = 'examples'")[0]
    here = {
        "http://127.0.0.1:8080": demo.server.url, "bin/perennial": str(BINARY),
        "pst_…": key, "ORD-20261119-0002": order, "/CUSTOMER/": f"/{customer}/", "curl ": "curl -sS --fail-with-body ",
    }
    script = "\n".join(block)
    for named, own in here.items():
        script = script.replace(named, own)
    script = re.sub(r"^perennial |\$\(perennial ", lambda found: found[0].replace("perennial", str(BINARY)), script, flags=re.MULTILINE)
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=REPOSITORY, env=demo.environment, input=PASSWORD, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"


def test_each_page_has_commands():
    assert {page for page, _ in EXAMPLES} == {page.name for page in PAGES}
