"""Two servers whose clocks differ by four seconds, while the database's is right: calls to both at once have one effect each."""

import concurrent.futures
import csv
import datetime
import http.client
import io
import json
import pathlib
import shutil
import subprocess
import sys
import threading

import pytest

import ports
import scale
from desk import Desk
from installation import CATALOG, Installation

PAIRS = scale.of(1_000, 15)
SECONDS = 2

pytestmark = pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="a clock is put ahead by a library of Linux")


@pytest.fixture(scope="module")
def shop():
    """Starts three servers: the first runs the cluster by the machine's clock, the second is ahead of it, and the third
    behind."""
    made = Installation()
    library = made.home / "clock_ahead.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-o", library, pathlib.Path(__file__).with_name("clock_ahead.c"), "-ldl"], check=True)
    try:
        made.start()
        made.do("catalog", "apply", str(CATALOG))
        for ahead in (SECONDS, -SECONDS):
            made.start(PERENNIAL_PORT=str(ports.take()), LD_PRELOAD=str(library), CLOCK_AHEAD=str(ahead))
        made.do("staff", "add", "ada@example.com", "--name", "Ada", "--role", "admin", input="correct horse battery\n")
        made.key = made.do("staff", "token", "ada@example.com", "--name", "clocks").split()[-1]
        yield made
    finally:
        made.remove()


@pytest.fixture(scope="module")
def customers(shop):
    """Returns the customers' tokens by name."""
    return tokens(shop, "pair")


def tokens(shop, kind):
    key = shop.do("app-key", "readmigo", "--name", kind, "--scope", "tokens:mint").split()
    key = next(word for word in key if word.startswith("psk_"))

    def mint(name):
        status, answer = ask(shop.servers[0], key, "POST", f"/customers/{name}/tokens", {})
        assert status == 201, answer
        return name, answer["accessToken"]

    with concurrent.futures.ThreadPoolExecutor(4) as workers:
        return dict(workers.map(mint, (f"{kind}-{number}" for number in range(PAIRS))))


def ask(server, token, method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    headers |= {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    response = connection.getresponse()
    answer = response.read()
    connection.close()
    return response.status, json.loads(answer) if answer else None


def at_once(shop, *calls):
    """Returns the answers of the server that is ahead and of the one behind, called at the same time."""
    barrier, answers = threading.Barrier(2), [None, None]

    def run(place):
        barrier.wait()
        answers[place] = calls[place](shop.servers[1 + place])

    threads = [threading.Thread(target=run, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_the_clocks_differ(shop):
    """Checks that the library moves the clocks apart by four seconds, within the rounding to a second."""
    ahead, behind = (
        datetime.datetime.strptime(
            subprocess.run(
                ["date", "-u", "+%FT%TZ"], env={"LD_PRELOAD": str(shop.home / "clock_ahead.so"), "CLOCK_AHEAD": str(seconds)},
                capture_output=True, text=True, check=True).stdout.strip(), "%Y-%m-%dT%H:%M:%SZ")
        for seconds in (SECONDS, -SECONDS))
    assert ahead - behind >= datetime.timedelta(seconds=2 * SECONDS - 1)


def test_a_trial_that_is_started_at_both_is_one_and_both_say_so(shop, customers):
    for name, token in customers.items():
        def start(server, token=token):
            return ask(server, token, "POST", "/subscriptions/trial/start", {})

        answers = at_once(shop, start, start)
        assert [status for status, _ in answers] == [200, 200], (name, answers)
        (_, left), (_, right) = answers
        assert {key: left[key] for key in left if key != "serverTime"} == {key: right[key] for key in right if key != "serverTime"}, name


def test_two_codes_of_a_week_that_are_redeemed_at_both_are_two_weeks(shop):
    status, batch = ask(
        shop.servers[0], shop.key, "POST", "/admin/promo-codes",
        {"name": "Pairs", "channel": "clocks", "planType": "PREMIUM", "days": 7, "codes": 2 * PAIRS, "usesPerCode": 1, "usesPerCustomer": 2,
         "startsAt": None, "expiresAt": None}, **{"Idempotency-Key": "pairs"})
    assert status == 201, batch
    file = Desk(shop, "ada@example.com", "correct horse battery").page(f"/dashboard/promo-codes/{batch['id']}/codes.csv")
    codes = [row["code"] for row in csv.DictReader(io.StringIO(file.removeprefix("\ufeff")))]
    assert len(codes) == 2 * PAIRS
    for (name, token), *pair in zip(tokens(shop, "code").items(), codes[::2], codes[1::2]):
        answers = at_once(shop, *(
            lambda server, code=code, token=token: ask(server, token, "POST", "/promo-codes/redeem", {"code": code}) for code in pair))
        assert [status for status, _ in answers] == [200, 200], (name, answers)
        first, second = sorted(
            [datetime.datetime.fromisoformat(answer["granted"][end]) for end in ("startsAt", "endsAt")] for _, answer in answers)
        assert first[1] - first[0] == second[1] - second[0] == datetime.timedelta(days=7), (name, answers)
        assert second[0] == first[1], (name, answers)


def test_what_is_counted_at_both_is_counted_twice(shop, customers):
    for name, token in customers.items():
        answers = at_once(shop, *(
            lambda server, key=key, token=token: ask(server, token, "POST", "/usage/vocabulary", {"quantity": 1}, **{"Idempotency-Key": key})
            for key in ("left", "right")))
        assert sorted(answer["used"] for _, answer in answers) == [1, 2], (name, answers)


def test_what_is_given_at_both_is_given_twice(shop, customers):
    """Two extensions of a week by staff make two weeks."""
    ids = dict(line.split("|") for line in shop.sql("SELECT external_id, id FROM customers WHERE external_id LIKE 'pair-%'"))
    assert set(ids) == set(customers)
    for name, customer in ids.items():
        granted = ask(
            shop.servers[1], shop.key, "POST", f"/admin/subscriptions/{customer}/grant",
            {"planType": "PREMIUM", "days": 7, "category": "goodwill", "reason": "A week on us, for the test."},
            **{"Idempotency-Key": f"{name} grant"})
        assert granted[0] in (200, 201), granted

        def extend(key, customer=customer):
            return lambda server: ask(
                server, shop.key, "POST", f"/admin/subscriptions/{customer}/extend",
                {"days": 7, "category": "goodwill", "reason": "Another week on us, for the test."}, **{"Idempotency-Key": key})

        answers = at_once(shop, extend(f"{name} left"), extend(f"{name} right"))
        assert all(status in (200, 201) for status, _ in answers), answers
    days = shop.sql(
        "SELECT DISTINCT round(extract(epoch FROM g.ends_at - g.starts_at) / 86400) FROM grants g JOIN customers c ON c.id = g.customer_id "
        "WHERE g.kind = 'complimentary' AND c.external_id LIKE 'pair-%'")
    assert days == ["21"]
    late = shop.sql("SELECT count(*) FROM grants WHERE updated_at > clock_timestamp() OR created_at > updated_at")
    assert late == ["0"]
