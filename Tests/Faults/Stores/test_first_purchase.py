"""From nothing to the plan of a bought subscription, with the commands of the README, for the app of each catalogue."""

import json
import subprocess

import pytest

from installation import CATALOG, REPOSITORY, Installation, until

CATALOGS = sorted((REPOSITORY / "Catalogs").glob("*.yaml"))
# A product of each app, and the plan that it gives.
PRODUCTS = {
    "kombin": ("com.kombinapp.premium.monthly", "premium"),
    "lightgallery": ("com.lightgallery.pro.monthly", "pro"),
    "llm-proxy": ("com.yourapp.pro.monthly", "pro"),
    "readmigo": ("com.readmigo.pro.monthly", "PRO"),
}


@pytest.fixture(scope="module")
def shop():
    """A server with the apps of all catalogues, which take in what the simulator signs."""
    made = Installation()
    try:
        made.start()
        root = made.do("simulate", "apple", "keys")
        for catalog in CATALOGS:
            made.do("catalog", "apply", str(catalog), "--simulator", root)
        yield made
    finally:
        made.remove()


def buy(shop, app, customer, *flags):
    return shop.do("simulate", "apple", "buy", PRODUCTS[app][0], "--app", app, "--customer", customer, *flags)


def turn(shop, word):
    return shop.do("simulate", "apple", word)


def paste(said):
    """Runs the command that was shown, as somebody who copies it from the terminal."""
    command = said[said.index("curl "):]
    done = subprocess.run(["bash", "-c", command.replace("curl ", "curl -sS -w '\\n%{http_code}' ", 1)],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    body, status = done.stdout.rsplit("\n", 1)
    return int(status), json.loads(body)


def token_of(said):
    return said.split("Bearer ")[1].split("'")[0]


def held(shop, said):
    """Returns the plan and the state of the customer of a purchase."""
    shop.settle()
    answer = subprocess.run(
        ["curl", "-sS", "-H", f"Authorization: Bearer {token_of(said)}", f"{shop.server.url}/subscriptions/status"],
        capture_output=True, text=True, timeout=60).stdout
    told = json.loads(answer)
    return told["planType"], told["status"]


def test_each_catalogue_has_a_product_here():
    assert {catalog.stem for catalog in CATALOGS} == set(PRODUCTS)


@pytest.mark.parametrize("app", PRODUCTS)
@pytest.mark.parametrize("flags", [(), ("--untold",)], ids=["told", "untold"])
def test_what_is_bought_is_answered_by_its_plan(shop, app, flags):
    said = buy(shop, app, f"first-{len(flags)}", *flags)
    assert PRODUCTS[app][0] in said and f"first-{len(flags)}'s of {app}" in said
    if flags:
        assert held(shop, said)[0] != PRODUCTS[app][1], "the store has told of it"
    status, told = paste(said)
    assert status == 200, told
    assert (told["subscription"]["planType"], told["verificationStatus"]) == (PRODUCTS[app][1], "VERIFIED"), told
    assert held(shop, said) == (PRODUCTS[app][1], "ACTIVE")


def test_a_purchase_lives_on_by_a_word_each(shop):
    said = buy(shop, "readmigo", "lives", "--ended")
    assert held(shop, said) == ("FREE", "EXPIRED")
    for word, plan, state in [
        ("grace", "PRO", "GRACE_PERIOD"), ("renew", "PRO", "ACTIVE"), ("cancel", "PRO", "CANCELLED"), ("restart", "PRO", "ACTIVE"),
        ("refund", "FREE", "EXPIRED"),
    ]:
        turn(shop, word)
        assert held(shop, said) == (plan, state), word


def test_words_that_do_not_fit_say_why(shop):
    said = buy(shop, "readmigo", "words")
    for word, reason in [("renew", "is paid for until"), ("grace", "is paid for until"), ("restart", "is on already")]:
        done = shop.run("simulate", "apple", word)
        assert done.returncode == 1 and reason in done.stderr, done.stderr
    assert held(shop, said) == ("PRO", "ACTIVE")
    turn(shop, "refund")
    done = shop.run("simulate", "apple", "refund")
    assert done.returncode == 1 and "has paid" in done.stderr, done.stderr


@pytest.mark.parametrize("arguments, told", [
    (["nothing", "--app", "readmigo"], "it sells com.readmigo"),
    (["com.readmigo.pro.monthly", "--app", "nobody"], "There is no app nobody"),
    (["com.readmigo.pro.monthly", "--app", "readmigo", "--customer", ""], "customer"),
    (["com.readmigo.pro.monthly", "--app", "readmigo", "--to", "nowhere"], "nowhere"),
    (["com.readmigo.pro.monthly", "--app", "readmigo", "--to", "http://127.0.0.1:1"], "does not answer"),
], ids=["product", "app", "customer", "address", "server"])
def test_what_cannot_be_bought_is_said(shop, arguments, told):
    done = shop.run("simulate", "apple", "buy", *arguments)
    assert done.returncode > 0 and told in done.stderr, done.stderr
    assert len([line for line in done.stderr.splitlines() if line.strip()]) == 1, done.stderr


def test_an_app_that_takes_apples_word_alone_is_not_sold_for(own):
    own.start()
    own.do("catalog", "apply", str(CATALOG))
    done = own.run("simulate", "apple", "buy", "com.readmigo.pro.monthly", "--app", "readmigo")
    assert done.returncode == 1 and "perennial simulate apple keys" in done.stderr, done.stderr


def test_nothing_was_bought(own):
    own.start()
    done = own.run("simulate", "apple", "renew")
    assert done.returncode == 1 and "perennial simulate apple buy" in done.stderr, done.stderr
    assert until(lambda: own.server.process.poll() is None, "the server", 5)
