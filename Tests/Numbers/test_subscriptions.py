import collections
import datetime
import decimal
import itertools
import urllib.error

import pytest
from cohorts import share
from entries import KEPT, measures, unexplained
from product import Lives

import lives
import reference

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def told():
    told = Lives()
    yield told
    told.installation.remove()


def stretch(told, grain):
    """Returns the days of whole periods that are over, some of them before the first customer."""
    last = reference.period_start(grain, told.today) - datetime.timedelta(days=1)
    return reference.period_start(grain, last - datetime.timedelta(days=680 if grain != "day" else 400)), last


KINDS = ("new", "reactivation", "expansion", "contraction", "churned", "moved")
FILTERS = [{}, {"plan": "PRO"}, {"plan": "PREMIUM"}, {"period": "P1M"}, {"period": "P1Y"}, {"country": "CHN"},
           {"country": "XXX"}, {"product": "com.readmigo.pro.monthly"}, {"currency": "CNY", "plan": "PRO"}]
# The currencies of a store's charges.
CURRENCIES = ["CNY", "TRY", "USD", "EUR", "GBP", "JPY"]
ONE_OF_EACH = {"plan": "PRO", "product": "com.readmigo.pro.monthly", "period": "P1M", "country": "CHN", "currency": "CNY"}
MORE_FILTERS = [{"currency": currency} for currency in CURRENCIES] + [
    dict(pair) for pair in itertools.combinations(ONE_OF_EACH.items(), 2)] + [
    {"plan": "PREMIUM", "currency": "TRY"}, {"period": "P1Y", "country": "USA"}, {"country": "CHN", "currency": "USD"}]


def named(value):
    return "-".join(value.values()) or "everything"


@pytest.mark.parametrize("filter", FILTERS, ids=named)
@pytest.mark.parametrize("grain", ["day", "week", "month"])
def test_recurring_revenue_moves_as_the_lives_say(told, grain, filter):
    recurring_revenue_is_what_lives_say(told, told.customers, grain, *stretch(told, grain), filter)


def recurring_revenue_is_what_lives_say(told, customers, grain, first, last, filter, **question):
    fits = told.fits(**filter)
    revenue, _ = customers.movements(fits)
    rows = told.ask("mrr", grain=grain, **{"from": first, "to": last}, **filter, **question)
    assert bool(rows) == any(revenue.values())
    for row in rows:
        begin, end = datetime.date.fromisoformat(row["from"]), datetime.date.fromisoformat(row["to"])
        moved = collections.Counter()
        for (day, kind, currency), amount in revenue.items():
            if begin <= day <= end and currency == row["currency"]:
                moved[kind] += amount
        expected = {kind: moved[kind] for kind in KINDS}
        expected["start"] = customers.at_end(begin - datetime.timedelta(days=1), fits)[0][row["currency"]]
        expected["end"] = customers.at_end(end, fits)[0][row["currency"]]
        found = {name: int(row[name] * 10 ** reference.digits(row["currency"])) for name in expected}
        assert found == expected, (row["from"], row["currency"])


@pytest.fixture(scope="module")
def rates(told, tmp_path_factory):
    """Imports rates of five days ago, which hold for a week, of all charged currencies but one; returns the rates and the one."""
    currencies = sorted({currency for _, _, currency in told.customers.movements(told.fits())[0]})
    assert len(currencies) > 2
    missing = next(currency for currency in currencies if currency not in ("CNY", "EUR"))
    known = {code: decimal.Decimal(f"{number + 3}.{number + 1}7") for number, code in enumerate(currencies) if code not in (missing, "EUR")}
    day = told.today - datetime.timedelta(days=5)
    file = tmp_path_factory.mktemp("rates") / "eurofxref-hist.csv"
    file.write_text(f"Date,{','.join(known)},\n{day},{','.join(map(str, known.values()))},\n")
    told.installation.do("rates", "import", str(file), **told.url)
    return reference.Rates({(code, day): rate for code, rate in known.items()}), missing


def test_orders_are_sorted_by_what_they_are_worth_at_the_rate_of_their_day(told, rates):
    table, _ = rates
    zone, orders, after = lives.zoneinfo.ZoneInfo(told.zone), [], None
    while True:
        page = told.read_json("/admin/orders", sort="amount", dir="desc", limit=100, after=after)
        orders += page["orders"]
        after = page["next"]
        if not after:
            break

    def worth(order):
        day = datetime.datetime.fromisoformat(order["createdAt"]).astimezone(zone).date()
        factor = table.factor(order["currency"], "CNY", day)
        minor = int(order["amount"] * 10 ** reference.digits(order["currency"]))
        return -1 if factor is None else reference.rounded(decimal.Decimal(minor) * factor[0] / factor[1])

    worths = [worth(order) for order in orders]
    assert len(worths) > 500 and worths == sorted(worths, reverse=True)
    # Orders without a rate come last; the others are not in the order of their bare amounts.
    assert -1 in worths and any(order["currency"] != "CNY" and value > 0 for order, value in zip(orders, worths))


@pytest.mark.parametrize("filter", [*FILTERS[:3], FILTERS[5]], ids=named)
@pytest.mark.parametrize("grain, reporting", [("month", "CNY"), ("week", "EUR")])
def test_recurring_revenue_in_one_currency_is_all_of_it_at_todays_rate(told, rates, grain, reporting, filter):
    table, missing = rates
    first, last = stretch(told, grain)
    revenue, _ = told.customers.movements(told.fits(**filter))
    kinds = KINDS

    def until(day, kind):
        total = decimal.Decimal(0)
        with decimal.localcontext(prec=60):
            amounts = collections.Counter()
            for (changed, of, currency), amount in revenue.items():
                if changed <= day and of == kind and currency != missing:
                    amounts[currency] += amount
            for currency, amount in amounts.items():
                times, divided = table.factor(currency, reporting, told.today)
                total += amount * times / divided
            return int(total.quantize(decimal.Decimal(1), decimal.ROUND_HALF_UP))

    answer = told.read_json("/admin/metrics/mrr", grain=grain, **{"in": reporting, "from": first, "to": last}, **filter)
    assert answer["missingRates"] == sorted({missing} & {currency for _, _, currency in revenue})
    assert len(answer["rows"]) > 12
    for row in answer["rows"]:
        begin, end = datetime.date.fromisoformat(row["from"]), datetime.date.fromisoformat(row["to"])
        before = begin - datetime.timedelta(days=1)
        expected = {kind: until(end, kind) - until(before, kind) for kind in kinds}
        expected |= {"start": sum(until(before, kind) for kind in kinds), "end": sum(until(end, kind) for kind in kinds)}
        assert row["currency"] == reporting
        assert {name: int(row[name] * 10 ** reference.digits(reporting)) for name in expected} == expected, row["from"]


@pytest.mark.parametrize("filter", FILTERS, ids=named)
@pytest.mark.parametrize("grain", ["day", "week", "month"])
def test_subscribers_come_and_go_as_the_lives_say(told, grain, filter):
    subscribers_are_whom_lives_say(told, told.customers, grain, *stretch(told, grain), filter)


def subscribers_are_whom_lives_say(told, customers, grain, first, last, filter, **question):
    fits = told.fits(**filter)
    _, people = customers.movements(fits)
    rows = told.ask("subscribers", grain=grain, **{"from": first, "to": last}, **filter, **question)
    assert len(rows) > 12
    for row in rows:
        begin, end = datetime.date.fromisoformat(row["from"]), datetime.date.fromisoformat(row["to"])
        before = begin - datetime.timedelta(days=1)
        moved = collections.Counter()
        for (day, kind), count in people.items():
            if begin <= day <= end:
                moved[kind] += count
        start, lost = customers.at_end(before, fits)[1], customers.lost(before, end, fits)
        rate = None if start == 0 else (decimal.Decimal(100 * lost) / start).quantize(
            decimal.Decimal("0.01"), rounding=decimal.ROUND_HALF_UP)
        expected = {
            "start": start, "new": moved["new"], "reactivated": moved["reactivation"],
            "moved": moved["moved"], "ended": -moved["churned"],
            "end": customers.at_end(end, fits)[1], "lost": lost, "churnRate": rate}
        assert {name: row[name] for name in expected} == expected, row["from"]


@pytest.mark.parametrize("filter", MORE_FILTERS, ids=named)
def test_recurring_revenue_and_subscribers_of_a_currency_or_of_two_filters_move_as_the_lives_say(told, filter):
    first, last = stretch(told, "month")
    recurring_revenue_is_what_lives_say(told, told.customers, "month", first, last, filter)
    subscribers_are_whom_lives_say(told, told.customers, "month", first, last, filter)


def test_an_order_belongs_to_the_customer_whose_token_its_transaction_carries(told):
    orders = told.rows("""
        SELECT o.transaction_id AS transaction, c.app_account_token AS owner, (
            SELECT e.event #>> '{transaction,customerToken}' FROM subscription_events e
            WHERE e.subscription_id = o.subscription_id AND e.event #>> '{transaction,id}' = o.transaction_id
                AND e.event #>> '{transaction,customerToken}' IS NOT NULL AND e.rejection_reason IS NULL
            ORDER BY e.signed_at DESC, e.event_id DESC
            LIMIT 1) AS token
        FROM orders o JOIN customers c ON c.id = o.customer_id""")
    carried = [order for order in orders if order["token"]]
    assert len(carried) > 1_000
    assert not [order for order in carried if order["token"].lower() != order["owner"]]


def test_every_currency_is_charged(told):
    assert {currency for _, _, currency in told.customers.movements(told.fits())[0]} == set(CURRENCIES)


@pytest.mark.parametrize("grain", ["day", "week", "month"])
def test_who_is_lost_is_known_when_the_period_is_over(told, grain):
    first = reference.period_start(grain, told.today - datetime.timedelta(days=60))
    *over, running = told.ask("subscribers", grain=grain, **{"from": first, "to": told.today})
    assert running["isPartial"] and running["lost"] is None and running["churnRate"] is None
    assert over and all(not row["isPartial"] and row["lost"] is not None for row in over)


@pytest.mark.parametrize("filter", FILTERS, ids=named)
@pytest.mark.parametrize("grain", ["week", "month"])
def test_periods_that_the_days_cut_are_of_the_days_that_are_left_of_them(told, grain, filter):
    first, last = told.today - datetime.timedelta(days=133), told.today - datetime.timedelta(days=9)
    fits = told.fits(**filter)
    revenue, people = told.customers.movements(fits)
    for path in ("mrr", "subscribers", "trials", "access"):
        rows = told.ask(path, grain=grain, **{"from": first, "to": last}, **filter)
        if not rows:
            continue
        assert (rows[0]["from"], rows[-1]["to"]) == (first.isoformat(), last.isoformat())
        for row in rows:
            begin, end = (datetime.date.fromisoformat(row[name]) for name in ("from", "to"))
            is_cut = (begin, end) != period_of(grain, begin)
            if path == "mrr":
                assert int(row["end"] * 10 ** reference.digits(row["currency"])) == told.customers.at_end(end, fits)[0][row["currency"]]
            if path == "subscribers":
                new = sum(count for (day, kind), count in people.items() if kind == "new" and begin <= day <= end)
                assert (row["end"], row["new"]) == (told.customers.at_end(end, fits)[1], new)
                assert (row["lost"] is None) == is_cut and not row["isPartial"]
            if path == "trials":
                assert row["trials"] == told.customers.trials(begin, end, fits, datetime.datetime.now(lives.UTC))["trials"]


def period_of(grain, day):
    """Returns the first and the last day of the period that a day lies in."""
    first = reference.period_start(grain, day)
    following = {"week": datetime.timedelta(days=7), "month": datetime.timedelta(days=31)}[grain]
    return first, reference.period_start(grain, first + following) - datetime.timedelta(days=1)


@pytest.mark.parametrize("filter", FILTERS, ids=named)
@pytest.mark.parametrize("grain", ["week", "month"])
def test_trials_are_converted_pending_or_abandoned_as_the_lives_say(told, grain, filter):
    first, _ = stretch(told, grain)
    now = datetime.datetime.now(lives.UTC)
    rows = told.ask("trials", grain=grain, **{"from": first, "to": told.today}, **filter)
    seen = 0
    for row in rows:
        begin, end = datetime.date.fromisoformat(row["from"]), datetime.date.fromisoformat(row["to"])
        counts = told.customers.trials(begin, end, told.fits(**filter), now)
        names = ("trials", "converted", "pending", "abandoned")
        assert {name: row[name] for name in names} == {name: counts[name] for name in names}, row["from"]
        seen += row["trials"]
    assert filter or seen > 20


def later(day, months):
    """Returns the day so many months later; the month's last day where it is shorter."""
    number = day.year * 12 + day.month - 1 + months
    first = datetime.date(number // 12, number % 12 + 1, 1)
    last = (first.replace(day=28) + datetime.timedelta(days=4)).replace(day=1) - datetime.timedelta(days=1)
    return min(first + datetime.timedelta(days=day.day - 1), last)


@pytest.mark.parametrize("filter", [{}, {"plan": "PRO"}, {"country": "CHN"}, {"currency": "CNY", "plan": "PREMIUM"},
                                    {"period": "P1Y"}], ids=named)
def test_subscriptions_are_kept_as_the_lives_say(told, filter):
    filter = {"period": "P1M"} | filter
    now, seen = datetime.datetime.now(lives.UTC), collections.Counter()
    first = later(told.today.replace(day=1), -22)
    for row in told.ask("retention", **{"from": first, "to": told.today}, **filter):
        month, last = (datetime.date.fromisoformat(row[name]) for name in ("from", "to"))
        started = told.customers.retention(month, told.fits(**filter), now)
        paid = collections.Counter(number for _, periods in started for number in periods)
        assert row["subscriptions"] == len(started), month
        months = 12 if filter["period"] == "P1Y" else 1
        begun = sum(later(month, number * months) <= told.today for number in range(40))
        assert [period["paid"] for period in row["periods"]] == [paid[number] for number in range(max(begun, len(+paid)))], month
        for number, period in enumerate(row["periods"]):
            assert period["isPartial"] == (later(last, (number + 1) * months) >= told.today), (month, number)
            # Those whose period has begun, and those who paid earlier.
            could = sum(later(day, number * months) <= told.today or number in periods for day, periods in started)
            assert (period["eligible"], period["share"]) == (could, share(paid[number], could)), (month, number)
        seen += paid
    assert filter["period"] == "P1Y" or seen[0] > seen[3] > 0


@pytest.mark.parametrize("filter", [{}, {"plan": "PRO"}, {"country": "CHN"}, {"period": "P1Y"}], ids=named)
@pytest.mark.parametrize("grain", ["week", "month"])
def test_access_is_gained_and_lost_as_the_lives_say(told, grain, filter):
    first, _ = stretch(told, grain)
    counts = told.customers.accesses(told.fits(**filter), datetime.datetime.now(lives.UTC))
    names, seen = ("gained", "regained", "lost", "raised", "lowered"), collections.Counter()
    for row in told.ask("access", grain=grain, **{"from": first, "to": told.today}, **filter):
        begin, end = datetime.date.fromisoformat(row["from"]), datetime.date.fromisoformat(row["to"])
        expected = {name: sum(count for (day, how), count in counts.items() if how == name and begin <= day <= end)
                    for name in names}
        assert {name: row[name] for name in names} == expected, row["from"]
        seen += collections.Counter(expected)
    assert filter or all(seen[name] for name in names)


def test_the_overview_counts_what_customers_may_use(told):
    now = datetime.datetime.now(lives.UTC)
    plans, trials, expired = told.customers.holders(now)
    answer = told.read_json("/admin/subscriptions/stats/overview")
    customers = int(told.installation.sql("""
        SELECT count(*) FROM customers c WHERE NOT EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id)
            OR EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id AND s.environment = 'production')""")[0])
    assert {name: answer[name] for name in answer if name.endswith("Users") or name == "activeSubscribers"} == {
        "totalUsers": customers, "freeUsers": customers - trials - plans["PRO"] - plans["PREMIUM"], "proUsers": plans["PRO"],
        "premiumUsers": plans["PREMIUM"], "trialUsers": trials, "expiredUsers": expired,
        "activeSubscribers": told.customers.payers(now)}
    assert sum(plan["users"] for plan in answer["plans"]) + trials == customers


def test_the_lives_have_all_that_the_numbers_tell_apart(told):
    revenue, people = told.customers.movements(told.fits())
    assert {kind for (_, kind, _), amount in revenue.items() if amount} >= set(KINDS) - {"moved"}
    assert any(kind == "moved" for (_, kind, _) in told.customers.movements(told.fits(plan="PRO"))[0])
    assert sum(people.values()) > 20


def test_nothing_was_known_before_it_was_told(told):
    yesterday = told.today - datetime.timedelta(days=1)
    assert told.ask("mrr", asOf=yesterday) == []
    assert all(row["start"] == row["end"] == 0 for row in told.ask("subscribers", asOf=yesterday))


@pytest.mark.parametrize("path", ["mrr", "subscribers", "trials"])
def test_a_parameter_that_is_none_is_refused(told, path):
    for parameters in ({"by": "plan"}, {"grain": "year"}, {"from": "2026-02-30"}, {"from": "2026-02-02", "to": "2026-02-01"}):
        with pytest.raises(urllib.error.HTTPError) as refused:
            told.ask(path, **parameters)
        assert refused.value.code in (400, 422)


def test_what_each_customer_adds_comes_to_the_figures_on_every_day(told):
    assert measures(told.installation) == set(KEPT)
    assert unexplained(told.installation) == []


def test_the_rollups_equal_the_events_and_rebuilding_them_changes_nothing(told):
    before = {path: told.ask(path, grain="week") for path in ("mrr", "subscribers", "trials")}
    assert "the rollups equal the ledger" in told.installation.do("rollups", "verify", timeout=300, **told.url)
    told.installation.sql("UPDATE rollups SET amount = amount + 1 WHERE ctid = (SELECT min(ctid) FROM rollups WHERE measure = 'mrr' AND amount > 0)")
    assert told.installation.run("rollups", "verify", timeout=300, **told.url).returncode == 1
    told.installation.do("rollups", "rebuild", timeout=300, **told.url)
    assert {path: told.ask(path, grain="week") for path in before} == before
    assert unexplained(told.installation) == []


def test_payments_are_the_charges_and_the_renewals_that_failed_as_the_store_told_them(told):
    zone = lives.zoneinfo.ZoneInfo(told.zone)
    failed, periods = collections.Counter(), set()
    for row in told.rows("""
            SELECT s.id AS subscription, e.event
            FROM subscription_events e JOIN subscriptions s ON s.id = e.subscription_id
            WHERE s.environment = 'production' AND e.rejection_reason IS NULL
                AND e.kind IN ('gracePeriodEntered', 'billingRetryEntered')
            ORDER BY e.signed_at, e.event_id"""):
        event, period = row["event"], (row["subscription"], row["event"]["transaction"]["id"])
        if period in periods or event["transaction"].get("isFamilyShared"):
            continue
        periods.add(period)
        failed[lives.at(event["signedAt"]).astimezone(zone).date().isoformat()] += 1
    assert len(periods) > 20
    kept = told.rows("""
        SELECT day, sum(count)::int AS count
        FROM (SELECT day, measure, environment, count FROM rollups
              UNION ALL SELECT day, measure, environment, count FROM rollup_entries) cells
        WHERE measure = 'charge_failed' AND environment = 'production'
        GROUP BY day
        HAVING sum(count) <> 0""")
    assert {row["day"]: row["count"] for row in kept} == failed
    charged = collections.Counter({row["day"]: row["count"] for row in told.rows(f"""
        SELECT (occurred_at AT TIME ZONE '{told.zone}')::date AS day, count(*) AS count
        FROM ledger_entries
        WHERE status = 'success' AND amount > 0 AND environment = 'production'
            AND kind NOT IN ('refund', 'revoke', 'refund_reversal', 'upgrade_credit_reversal')
        GROUP BY 1""")})
    report = told.read_json("/admin/metrics/health", span="month")
    payments = next(metric for metric in report["metrics"] if metric["metric"] == "payments")
    days = [period["from"] for period in payments["history"]]
    assert len(days) == 30 and days[-1] == told.today.isoformat()
    assert [period["count"] for period in payments["history"]] == [charged[day] + failed[day] for day in days]
    good = sum(charged[day] for day in days)
    assert payments["count"] == good + sum(failed[day] for day in days) > good > 0
    assert payments["value"] * 100 == reference.rounded(decimal.Decimal(good * 10_000) / payments["count"])


@pytest.fixture(scope="module")
def heard(told):
    """Rebuilds all metrics as if the store's events had been recorded when they were signed. It runs last here."""
    told.installation.sql("""
        BEGIN;
        SET LOCAL session_replication_role = replica;
        UPDATE ledger_entries SET recorded_at = occurred_at;
        UPDATE subscription_events SET recorded_at = signed_at;
        UPDATE customers SET recorded_at = created_at;
        -- What is right is left as it was known; what is not there is known as it was heard.
        TRUNCATE rollups, rollup_entries, rollup_months, rollup_days, subscriber_entries;
        COMMIT""")
    told.installation.do("rollups", "rebuild", timeout=300, **told.url)
    return told


@pytest.mark.parametrize("filter", [{}, {"plan": "PRO"}, {"country": "CHN"}], ids=named)
@pytest.mark.parametrize("grain", ["day", "week", "month"])
@pytest.mark.parametrize("day", [1, 2, 17, 28, "last"])
def test_what_was_known_of_subscriptions_at_the_end_of_a_day_is_what_had_been_heard(heard, day, grain, filter):
    month = later(heard.today.replace(day=1), -5)
    as_of = later(month, 1) - datetime.timedelta(days=1) if day == "last" else month.replace(day=day)
    customers = heard.known(as_of)
    last = reference.period_start(grain, as_of + datetime.timedelta(days=1)) - datetime.timedelta(days=1)
    first = reference.period_start(grain, last - datetime.timedelta(days=400 if grain != "day" else 60))
    recurring_revenue_is_what_lives_say(heard, customers, grain, first, last, filter, asOf=as_of)
    subscribers_are_whom_lives_say(heard, customers, grain, first, last, filter, asOf=as_of)
