"""The simulated WeChat Pay, Alipay and Google Play as processes: each says what a catalogue needs, and other processes drive it."""

import json
import pathlib
import re
import stat

import pytest

STORES = ["wechat", "alipay", "google"]


class Shop:
    """A process of `perennial simulate STORE serve`, at a port that it chose."""

    def __init__(self, installation, store, *options):
        self.installation, self.store = installation, store
        self.process = installation.popen("simulate", store, "serve", "--port", "0", *options)
        self.url = self.process.stdout.readline().decode().strip()
        self.entry = pathlib.Path(self.process.stdout.readline().decode().rpartition("also in ")[2].strip().removesuffix(":"))

    def secrets(self):
        """Returns the files that the entry of the catalogue names."""
        return [pathlib.Path(name) for name in re.findall(r'"file:([^"]+)"', self.entry.read_text())]

    def tell(self, *words):
        return self.installation.run("simulate", self.store, *words, "--at", self.url)

    def do(self, *words):
        done = self.tell(*words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout.strip() else None

    def stop(self):
        self.process.terminate()
        self.process.wait(300)
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture
def open_shop(installation):
    shops = []

    def open_one(*words):
        shops.append(Shop(installation, *words))
        return shops[-1]

    yield open_one
    for shop in shops:
        shop.stop()


@pytest.mark.parametrize("store", STORES)
def test_it_says_where_it_is_and_what_a_catalogue_needs(open_shop, store):
    shop = open_shop(store)
    assert shop.url.startswith("http://127.0.0.1:") and not shop.url.endswith(":0")
    entry = shop.entry.read_text()
    assert entry.startswith(f"stores:\n  {store}:\n") and "environment: simulator" in entry and shop.url in entry
    assert shop.secrets()
    for file in shop.secrets():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
        assert file.read_text().strip()


def test_the_keys_stay_the_same(open_shop):
    keys = [file.read_text() for file in open_shop("alipay", "--certificates").secrets()]
    assert len(keys) == 4
    assert [file.read_text() for file in open_shop("alipay", "--certificates").secrets()] == keys


def test_a_life_is_driven_from_other_processes(open_shop):
    shop = open_shop("google")
    token = shop.do("buy", "pro:monthly", "--price", "9.99", "--trial", "7")["token"]
    assert shop.do("live", "grace", token)["state"] == "IN_GRACE_PERIOD"
    assert shop.do("live", "hold", token)["state"] == "ON_HOLD"
    assert shop.do("live", "renew", token)["state"] == "ACTIVE"
    upgraded = shop.do("live", "change", token, "--plan", "max:yearly", "--price", "99", "--days", "365")
    assert upgraded["token"] != token
    assert shop.do("refund", upgraded["orders"][-1], "--as", "revoke")["state"] == "REFUNDED"
    shop.do("message", "poison")
    assert len(shop.do("list", "--notifications")) >= 7


@pytest.mark.parametrize("words, field", [
    (["wechat", "buy", "SUB-NOBODY"], "ORDER_NOT_EXIST"), (["wechat", "settle", "R1", "--as", "PAID"], "status is one of"),
    (["wechat", "spoil", "sad"], "mood is one of"), (["wechat", "spoil", "stale"], "seconds is needed"),
    (["wechat", "change", "--mode", "none"], "mode is one of"), (["wechat", "bills", "--amount", "A1"], "amounts is a list"),
    (["wechat", "fault", "error"], "kind is one of"),
    (["alipay", "scan", "A1"], "order is no order"), (["alipay", "answer", "sad", "--method", "m"], "mood is one of"),
    (["alipay", "spoil", "--copies", "0"], "copies is a whole number from 1 to 100"),
    (["google", "buy", "pro", "--price", "much"], "price is an amount"), (["google", "live", "dance", "t"], "token is no subscription"),
    (["google", "refund", "GPA.1"], "order is no order"), (["google", "message", "love"], "what is one of"),
])
def test_what_is_not_understood_is_refused_by_its_name(open_shop, words, field):
    done = open_shop(words[0]).tell(*words[1:])
    assert done.returncode == 1, done.stdout
    assert done.stderr.startswith("Error: ") and field in done.stderr, done.stderr


def test_the_doctor_says_in_a_line_whether_google_can_be_asked(own, tmp_path):
    own.start()
    shop = Shop(own, "google")
    try:
        catalog = tmp_path / "shop.yaml"
        catalog.write_text(
            "app: shop\nname: The Shop\ntimeZone: Europe/Berlin\nreportingCurrency: EUR\n"
            + shop.entry.read_text()
            + "plans:\n  - { code: FREE, name: Free, rank: 0 }\n  - { code: PRO, name: Pro, rank: 1 }\n"
            + 'products:\n  - { store: google, id: "pro:monthly", plan: PRO, name: Pro, period: P1M, prices: { EUR: "9.99" } }\n')
        own.do("catalog", "apply", str(catalog))
        well = own.run("doctor", PERENNIAL_PATIENCE="20").stdout
        assert "ok    shop google answers about orders of com.readmigo.app" in well
        assert "ok    shop google believes pushes of pubsub-push@sim.iam.gserviceaccount.com for " in well
    finally:
        shop.stop()
    away = own.run("doctor")
    assert away.returncode == 1
    assert "wrong shop google cannot be asked about orders\n      The store could not be reached." in away.stdout
    assert "wrong shop google cannot judge pushes\n      Google's keys could not be fetched." in away.stdout
