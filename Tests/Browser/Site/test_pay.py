"""The page on which a customer pays an order, on a screen, on a phone, in the dark, and without scripts."""

import re
import secrets

import pytest
from playwright.sync_api import expect

import looks
from colours import contrast
from windows import DESKTOP, PHONE

WORDS = {"en": "Scan to pay", "zh-Hans": "扫码支付", "tr": "kodu okutun"}


class Order:
    def __init__(self, server, number):
        self.server, self.number, self.path = server, number, f"/pay/{number}"

    def change(self, values):
        self.server.sql(f"UPDATE checkouts SET {values} WHERE number = '{self.number}'")

    def pay(self):
        self.change(f"state = 'paid', paid_at = now(), settled_at = now(), transaction_id = '{self.number}'")

    def close(self, reason):
        self.change(f"state = 'closed', close_reason = '{reason}', closed_at = now()")


@pytest.fixture
def order(server, known):
    """An order that can be paid for 15 minutes; afterwards it cannot."""
    made = Order(server, secrets.token_hex(13).upper())
    server.sql(f"""
        INSERT INTO checkouts (id, app_id, customer_id, product_id, store, environment, method, number, description, basis, price,
            credit, amount, currency, starts_at, ends_at, state, invocation, created_at, expires_at)
        SELECT gen_random_uuid(), c.app_id, c.id, p.id, 'wechat', 'production', 'wechat_native', '{made.number}',
            'A month of Pro with a name that is rather long for a small phone', sha256('{made.number}'), 2800, 1000, 1800, 'CNY',
            now(), now() + interval '1 month', 'open', '{{"qr": "weixin://wxpay/bizpayurl?pr={made.number}"}}', now(),
            now() + interval '15 minutes'
        FROM customers c JOIN products p ON p.app_id = c.app_id
        ORDER BY c.id, p.id
        LIMIT 1""")
    yield made
    made.change("state = 'paid', paid_at = now(), settled_at = now(), close_reason = NULL, closed_at = NULL,"
                f" transaction_id = '{made.number}'")


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["wide", "narrow"])
def test_it_shows_the_code_and_what_is_to_pay(open_as, order, language, scheme, size):
    page = open_as(None, viewport=size, color_scheme=scheme, locale=language)
    page.goto(order.path)
    assert WORDS[language] in page.locator("h1").inner_text()
    assert page.locator("html").get_attribute("lang") == language
    assert page.get_by_role("img").bounding_box()["width"] >= 200
    assert re.search(r"18[.,]00 CNY", page.locator("dl").inner_text())
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    heading = page.locator("h1").evaluate("h1 => [getComputedStyle(h1).color, getComputedStyle(document.body).backgroundColor]")
    assert contrast(*heading) >= 4.5
    assert looks.axe(page) == []


def test_it_counts_down_and_tells_of_the_payment_at_once(open_as, order):
    page = open_as(None)
    page.goto(order.path)
    first = page.get_by_role("timer").inner_text()
    expect(page.get_by_role("timer")).not_to_have_text(first)
    order.pay()
    expect(page.get_by_role("heading", name="Paid")).to_be_visible()
    assert page.get_by_role("timer").count() == 0 and page.get_by_role("img").count() == 0


def test_what_leads_to_the_store_is_renewed_where_it_stands(open_as, order):
    leading = 'state = \'open\', method = \'wechat_h5\', invocation = \'{{"redirect": "https://wx.tenpay.com/{}"}}\''
    order.change(leading.format("first"))
    page = open_as(None)
    page.goto(order.path)
    link = page.locator("main a.primary")
    assert link.get_attribute("href") == "https://wx.tenpay.com/first"
    link.focus()
    order.change(leading.format("second"))
    page.evaluate("""async () => {
        const answer = await fetch(location.pathname);
        renew(new DOMParser().parseFromString(await answer.text(), "text/html"));
    }""")
    assert link.get_attribute("href") == "https://wx.tenpay.com/second"
    expect(link).to_be_focused()


@pytest.mark.parametrize("reason, words", [("expired", "The time is over"), ("refused", "The payment did not work"),
                                           ("replaced", "There is a newer order")])
def test_it_tells_that_the_order_cannot_be_paid_any_more(open_as, order, reason, words):
    page = open_as(None)
    page.goto(order.path)
    order.close(reason)
    expect(page.get_by_role("heading", name=words)).to_be_visible()


def test_its_time_runs_out_before_the_eyes(open_as, order):
    order.change("expires_at = now() + interval '3 seconds'")
    page = open_as(None)
    page.goto(order.path)
    expect(page.get_by_role("heading", name="The time is over")).to_be_visible()
    assert page.get_by_role("img").count() == 0


def test_without_scripts_it_asks_for_itself_anew(open_as, order):
    page = open_as(None, java_script_enabled=False)
    page.goto(order.path)
    assert page.get_by_role("timer").inner_text().startswith(("15:00", "14:"))
    order.pay()
    # The browser does so by itself, every five seconds.
    expect(page.get_by_role("heading", name="Paid")).to_be_visible()


def test_a_form_goes_on_to_the_store(open_as, order, server):
    order.change(f"""invocation = '{{"url": "{server.url}/healthz?charset=utf-8", "fields": [["biz_content", "<b>&quot;"]]}}'""")
    page = open_as(None)
    page.route("**/healthz?*", lambda route: route.fulfill(body="the store"))
    page.goto(order.path)
    field = page.locator("input[name=biz_content]")
    assert field.get_attribute("value") == "<b>&quot;"
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.get_by_role("button", name="Go on to WeChat").click()
    assert sent.value.post_data == "biz_content=%3Cb%3E%26quot%3B"
