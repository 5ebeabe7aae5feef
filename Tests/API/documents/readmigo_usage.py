"""readmigo: its plans' features, their usage, and its paywall."""

from documents.readmigo import MONTHLY, PREMIUM, YEARLY, readmigo
from documents.shapes import Each, integer, text, time

MATRIX = {
    "ai": ({"day": 5}, {"day": 100}, {}), "ai-summary": (None, {"day": 50}, {}), "premium-ai": (None, None, {}),
    "voice-chat": (None, {"month": 30}, {}), "video-chat": (None, None, {}),
    "vocabulary": ({"lifetime": 50}, {"lifetime": 1000}, {}), "spaced-repetition": (None, {}, {}),
    "offline-books": (None, {"lifetime": 10}, {}), "reading-statistics": (None, {}, {}), "vocabulary-export": (None, {}, {}),
}


@readmigo.case("功能权限矩阵, 功能门禁", "GET /entitlements", "GET /entitlements/{feature}")
def matrix(desk):
    """Ten features by three plans: allowed, tierRequired, and each limit by day, by month or for ever."""
    for place, product in enumerate((None, MONTHLY, PREMIUM)):
        customer = desk.customer("readmigo")
        if product:
            customer.buys(product)
        answered = customer.ask("GET", "/entitlements").has(200)
        assert answered["planType"] == ("FREE", "PRO", "PREMIUM")[place]
        found = {each["feature"]: each for each in answered["features"]}
        assert found.keys() == MATRIX.keys()
        for code, limits in MATRIX.items():
            feature, limit = found[code], limits[place]
            assert feature["allowed"] == (limit is not None), feature
            assert feature["reason"] == (None if limit is not None else "tierRequired"), feature
            assert {each["window"]: each["limit"] for each in feature["limits"]} == (limit or {}), feature
            assert customer.ask("GET", f"/entitlements/{code}").json["allowed"] == feature["allowed"]


@readmigo.case("用量追踪: 使用记录上报", "POST /usage/ai", "GET /usage/current", "GET /entitlements/ai")
def usage_ai(desk):
    """Counted up to five a day, then limitReached, until the app's midnight."""
    customer = desk.customer("readmigo")
    for used in range(1, 6):
        counted = customer.ask("POST", "/usage/ai", {}).has(200)
        assert (counted["used"], counted["limit"], counted["remaining"], counted["window"]) == (used, 5, 5 - used, "day")
    refused = customer.ask("POST", "/usage/ai", {}, "zh-Hans").has(429)
    assert (refused["code"], refused["limit"], refused["used"]) == ("limitReached", 5, 5)
    assert refused["detail"].startswith("已达每日限制")
    assert refused["resetsAt"].endswith("T16:00:00Z")
    shown = {each["feature"]: each for each in customer.ask("GET", "/usage/current").json["features"]}
    assert (shown["ai"]["used"], shown["ai"]["allowed"]) == (5, False)
    assert customer.ask("GET", "/entitlements/ai").json["reason"] == "limitReached"


@readmigo.case("用量追踪: 使用记录上报", "POST /usage/voice-chat")
def usage_voice_chat(desk):
    """Minutes by the month: none for FREE, thirty for PRO."""
    customer = desk.customer("readmigo")
    refused = customer.ask("POST", "/usage/voice-chat", {"quantity": 1}, "zh-Hans").has(403)
    assert (refused["code"], refused["requiredPlan"]) == ("tierRequired", "PRO")
    customer.buys(MONTHLY)
    counted = customer.ask("POST", "/usage/voice-chat", {"quantity": 12}).has(200)
    assert (counted["window"], counted["used"], counted["remaining"]) == ("month", 12, 18)
    refused = customer.ask("POST", "/usage/voice-chat", {"quantity": 19}, "zh-Hans").has(429)
    assert (refused["code"], refused["window"]) == ("limitReached", "month")
    assert refused["detail"].startswith("已达每月限制")


@readmigo.case("用量追踪: 累计指标", "GET /usage/current", "POST /usage/vocabulary", "POST /usage/offline-books")
def usage_in_all(desk):
    """Words and offline books are counted for ever."""
    customer = desk.customer("readmigo")
    customer.buys(MONTHLY)
    customer.ask("POST", "/usage/vocabulary", {"quantity": 40}).has(200)
    customer.ask("POST", "/usage/offline-books", {"quantity": 10}).has(200)
    assert customer.ask("POST", "/usage/offline-books", {}).has(403)["code"] == "limitReached"
    shown = customer.ask("GET", "/usage/current").has(
        200, {"planType": "PRO", "features": Each({"feature": text, "window": text, "used": integer, "resetsAt": time.or_null},
                                                    least=10)},
        "serverTime included allowed requiredPlan limit remaining windows credits")
    found = {each["feature"]: each for each in shown["features"]}
    assert (found["vocabulary"]["used"], found["vocabulary"]["resetsAt"]) == (40, None)


@readmigo.case(
    "用量追踪: 追踪指标", "GET /usage/current",
    differs="no JSON is given for it: counts are answered by feature code and window, not under the tracker's own variables")
def usage_metrics(desk):
    """The tracker's five metrics, under their names."""
    shown = desk.customer("readmigo").ask("GET", "/usage/current").has(200)
    names = ("aiCallsToday", "vocabularyCount", "offlineDownloads", "voiceChatMinutes", "booksRead")
    assert all(isinstance(shown.get(name), int) for name in names), shown


@readmigo.case("用量追踪: 追踪指标", "POST /usage/books-read", differs="the catalogue has no feature for `booksRead`, so it is not counted")
def usage_books_read(desk):
    """Books that were read are counted as well."""
    desk.customer("readmigo").ask("POST", "/usage/books-read", {}).has(200)


@readmigo.case("UI 视图组件: PaywallView", "GET /paywall")
def paywall_prices(desk):
    """¥18/月 and ¥128/年, with seven days of trial for the year."""
    offered = desk.ask("GET", "/paywall", language="zh-Hans", app="readmigo").has(200)
    found = {each["id"]: each for each in offered["products"]}
    assert found.keys() == {MONTHLY, YEARLY, PREMIUM, "com.readmigo.premium.monthly"}
    assert (found[MONTHLY]["price"], found[YEARLY]["price"]) == ("¥18/月", "¥128/年")
    assert [found[each]["trial"] and found[each]["trial"]["period"] for each in (MONTHLY, YEARLY, PREMIUM)] == [None, "P7D", "P7D"]
    locked = desk.customer("readmigo").ask("GET", "/paywall").json["locked"]
    assert {each["feature"] for each in locked} == {code for code, limits in MATRIX.items() if limits[0] is None}
