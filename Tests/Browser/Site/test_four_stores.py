"""The demo sells at four stores, and every page about them has something to show."""

import pytest
from demo_server import DemoServer
from pictures import IN_THE_SHOPS, LARGEST, SIZE, shop_pages, wait_for_shops
from windows import fill_in_sign_in

STORES = ("Apple", "WeChat Pay", "Alipay", "Google Play")


@pytest.fixture(scope="module")
def shops():
    """A demo of its own with all four stores; what it fills in is not that of the other tests."""
    running = DemoServer(40, start_within=600, anew=True, stores=True)
    wait_for_shops(running)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def desk(shops, browser):
    context = browser.new_context(base_url=shops.url, viewport=SIZE, locale="en")
    page = context.new_page()
    fill_in_sign_in(page, "admin@demo.test")
    page.wait_for_url("**/dashboard")
    yield page
    context.close()


def test_the_list_and_the_chart_have_all_four(desk, shops):
    desk.goto("/dashboard/orders")
    shown = desk.locator("table.list").inner_text()
    assert all(store in shown.replace("\n", " ") for store in STORES)
    desk.goto("/dashboard/revenue?show=gross&by=store")
    assert all(store in desk.locator("main").inner_text() for store in STORES)


def test_a_bank_asks_and_the_queue_has_its_clock(desk, shops):
    desk.goto("/dashboard/refunds")
    assert "left to respond to Google Play" in desk.locator("table.list").inner_text()


def test_each_store_pays_what_was_approved_and_one_cannot(shops):
    paid = shops.sql("SELECT DISTINCT store FROM refund_payouts WHERE state = 'paid' ORDER BY 1")
    assert paid == [["alipay"], ["google"], ["wechat"]]
    assert shops.sql("SELECT store FROM refund_payouts WHERE state = 'abnormal'") == [["wechat"]]


def test_each_store_that_makes_bills_differs_in_three_rows(desk, shops):
    desk.goto("/dashboard/sync")
    assert desk.locator("#differences").count() == 1
    kinds = [["paid_here"], ["paid_there"], ["payment_amount"]]
    for store in ("wechat", "alipay"):
        assert shops.sql(f"SELECT kind FROM bill_differences WHERE store = '{store}' ORDER BY 1") == kinds


def test_books_and_metrics_agree_and_nothing_failed(shops):
    assert "equal the ledger" in shops.run("rollups", "verify")
    assert shops.sql("SELECT count(*) FROM store_notifications WHERE state = 'failed'") == [["0"]]
    refused = "SELECT count(*) FROM subscription_events WHERE rejection_reason IS NOT NULL AND source <> 'notification'"
    assert shops.sql(refused) == [["0"]]


def test_each_page_that_is_photographed_opens_and_makes_a_small_picture(desk, shops):
    shown = shop_pages(shops)
    assert tuple(shown) == IN_THE_SHOPS
    for name, path in shown.items():
        assert desk.goto(path).status == 200, name
        assert len(desk.screenshot()) < LARGEST, name


def test_a_second_app_sells_in_its_own_country(desk, shops):
    kombin = "FROM orders o JOIN apps a ON a.id = o.app_id WHERE a.slug = 'kombin'"
    assert shops.sql(f"SELECT o.currency {kombin} GROUP BY 1 ORDER BY count(*) DESC LIMIT 1") == [["TRY"]]
    assert int(shops.sql(f"SELECT count(*) {kombin}")[0][0]) > 50
    # The one that was set up first is what people see after they sign in.
    desk.goto("/dashboard/orders")
    assert desk.locator("form.switch option:checked").inner_text() == "Readmigo"


def test_apple_waits_for_answers_and_codes_were_redeemed(desk, shops):
    desk.goto("/dashboard")
    assert "to answer the store about, the next by" in desk.locator("main").inner_text()
    desk.goto("/dashboard/promo-codes")
    assert "Back to school" in desk.locator("table.list").inner_text()
    assert int(shops.sql("SELECT count(*) FROM promo_redemptions")[0][0]) == 12
