"""Each staff action is one audit entry, with the person, the action, the object, the reason and the request."""

import re

import pytest

import sample_data
from listing import NOTIFICATIONS, ORDERS, follow
from windows import fill_in_sign_in

CUSTOMERS = "/dashboard/customers"
STAFF = "/dashboard/staff"
BULK = "/dashboard/bulk"
REASON = "The log is to have it, and once."


class Log:
    """Reads the entries that are new since the last look."""

    def __init__(self, server):
        self._server = server
        self._last = self._newest()

    def news(self):
        """Returns each new entry as a dictionary; its before and after are the names of the changed fields."""
        names = ["action", "actor", "role", "object", "reason", "request", "before", "after"]
        rows = self._server.sql(
            f"""SELECT action, actor, role, object_id, reason, request_id,
                (SELECT string_agg(key, ' ' ORDER BY key) FROM jsonb_object_keys(before) AS key),
                (SELECT string_agg(key, ' ' ORDER BY key) FROM jsonb_object_keys(after) AS key)
            FROM audit_entries WHERE at > '{self._last}' ORDER BY at"""
        )
        self._last = self._newest()
        return [dict(zip(names, row)) for row in rows]

    def one(self, action, email, object=None):
        """Returns the only new entry, which has to be of that action, by that admin, and about that object."""
        news = self.news()
        assert [(entry["action"], entry["actor"], entry["role"]) for entry in news] == [(action, email, "admin")]
        (entry,) = news
        assert entry["request"] and (object is None or entry["object"] == object)
        return entry

    def _newest(self):
        return self._server.sql("SELECT max(at) FROM audit_entries")[0][0]


@pytest.fixture
def log(server, known):
    return Log(server)


@pytest.fixture
def admin(person):
    return person("admin")


def decide(page):
    """Fills in the reason and the confirmation that a page asks for, and presses its button."""
    if page.locator("select[name=category]").count():
        page.locator("select[name=category]").select_option(index=1)
        page.locator("textarea[name=reason]").fill(REASON)
    if page.locator("input[name=confirmation]").count():
        page.locator("input[name=confirmation]").fill(
            re.search(r"Type (\S+)", page.locator("label[for=confirmation]").inner_text()).group(1))
    follow(page, page.locator("main form[method=post] :is(button.primary, button.danger)").last)
    assert page.locator("main [role=alert]").count() == 0, page.locator("main").inner_text()


def choose(page, customer, path, plan="", receiver=""):
    """Opens the preview of an action for a customer, on the first of its possible objects."""
    page.goto(f"{CUSTOMERS}/{customer}/{path}/new")
    if page.locator("input[name=of]").count():
        page.locator("input[name=of]").first.check()
    if plan:
        page.locator(f"input[name=plan][value={plan}]").check()
    if page.get_by_label("Days", exact=True).count():
        page.get_by_label("Days", exact=True).fill("3")
    if page.locator("input[name=receiver]").count():
        page.locator("input[name=receiver]").fill(receiver)
    follow(page, page.get_by_role("button", name="Review changes"))


def undo(page, customer):
    page.goto(f"{CUSTOMERS}/{customer}")
    follow(page, page.get_by_role("link", name="Undo last action"))
    decide(page)


def test_what_is_given_and_taken(admin, log, server, known):
    customer = sample_data.new_customers(server)[0][0]
    for path, plan, action in (
        ("grants", "PRO", "access.grant"), ("extensions", "", "access.extend"),
        ("plan-changes", "PREMIUM", "access.change_tier"), ("revocations", "", "access.revoke"),
        ("restorations", "", "access.restore"),
    ):
        choose(admin, customer, path, plan)
        decide(admin)
        assert REASON in log.one(action, admin.email, customer)["reason"]
        admin.goto(f"{CUSTOMERS}/{customer}")
        top = admin.locator(".timeline > li").first
        assert "Pat Example" in top.inner_text() or admin.email in top.inner_text(), top.inner_text()
    undo(admin, customer)
    log.one("access.undo", admin.email, customer)


def test_what_moves_to_somebody_else_and_back(admin, log, server, known):
    giver, subscription = server.sql(
        "SELECT customer_id, min(id::text) FROM subscriptions WHERE environment = 'production' "
        f"AND customer_id <> '{known.subscriber}' GROUP BY 1 HAVING count(*) = 1 AND min(state) = 'active' ORDER BY 1 LIMIT 1")[0]
    choose(admin, giver, "transfers", receiver=known.two_letter_customer)
    decide(admin)
    assert REASON in log.one("subscription.transfer", admin.email)["reason"]
    undo(admin, giver)
    log.one("access.undo", admin.email)
    assert server.sql(f"SELECT customer_id FROM subscriptions WHERE id = '{subscription}'") == [[giver]]


def test_what_is_decided_about_money(admin, person, log, server, known):
    orders = iter(server.sql(
        "SELECT o.number FROM orders o WHERE o.status = 'completed' AND o.environment = 'production' AND o.currency = 'CNY' "
        "AND o.amount BETWEEN 1000 AND 9900 AND NOT EXISTS (SELECT FROM refund_requests r WHERE r.order_id = o.id) "
        "ORDER BY o.purchased_at LIMIT 3"))
    other = person("admin")

    def ask():
        admin.goto(f"{ORDERS}/{next(orders)[0]}/refund")
        admin.locator("input[name=kind][value=full]").check()
        decide(admin)
        number = admin.url.rsplit("/", 1)[1]
        assert REASON in log.one("refund.request", admin.email, number)["reason"]
        return number

    def step(page, number, name, action):
        page.goto(f"/dashboard/refunds/{number}/{name}")
        if page.locator("input[name=reference]").count():
            page.locator("input[name=reference]").fill("SEPA 78")
        decide(page)
        assert REASON in log.one(action, page.email, number)["reason"]

    step(admin, ask(), "cancellation", "refund.cancel")
    step(other, ask(), "rejection", "refund.reject")
    paid = ask()
    step(other, paid, "approval", "refund.approve")
    step(other, paid, "payment", "refund.process")


def test_what_becomes_of_accounts(admin, log, staff, server):
    email = staff("support")
    colleague = server.sql(f"SELECT id FROM staff WHERE email = '{email}'")[0][0]
    for name, action in (
        ("role", "staff.role"), ("link", "staff.link"), ("ended-sessions", "staff.end_sessions"),
        ("closure", "staff.disable"), ("reopening", "staff.enable"),
    ):
        admin.goto(f"{STAFF}/{colleague}/{name}")
        if admin.get_by_role("radio", name="Analyst").count():
            admin.get_by_role("radio", name="Analyst").check()
        decide(admin)
        assert REASON in log.one(action, admin.email, colleague)["reason"]


def test_what_is_done_to_many(admin, log, server, known):
    customers = [key for _, key in sample_data.new_customers(server, 2)]

    def state(word):
        admin.locator("h1 .status", has_text=re.compile(f"^{word}$")).wait_for(timeout=120_000)

    def ask():
        admin.goto(f"{BULK}/new")
        admin.locator("input[name=kind][value=grant]").check()
        admin.get_by_label("Plan", exact=True).select_option("PRO")
        admin.get_by_label("Days", exact=True).fill("7")
        admin.get_by_label("Or paste customers").fill("\n".join(customers))
        decide(admin)
        state("Ready to start")
        job = admin.url.rsplit("/", 1)[1]
        assert REASON in log.one("bulk.request", admin.email, job)["reason"]
        return job

    def step(job, link, action):
        admin.goto(f"{BULK}/{job}")
        follow(admin, admin.get_by_role("link", name=link))
        decide(admin)
        return action, job

    action, job = step(ask(), "Cancel job", "bulk.cancel")
    log.one(action, admin.email, job)
    action, job = step(ask(), "Start job", "bulk.start")
    state("Done")
    started = log.news()
    # Each customer's change has an entry of its own, and so has the end of the job.
    assert [entry["action"] for entry in started if entry["object"] == job] == [action, "bulk.finish"]
    assert sorted(entry["action"] for entry in started if entry["object"] != job) == ["access.grant"] * 2
    admin.request.get(f"{BULK}/{job}/result.csv")
    log.one("bulk.export", admin.email, job)


def test_what_is_written_kept_and_looked_at_again(admin, log, server, known):
    admin.goto(f"{CUSTOMERS}/{known.two_letter_customer}")
    admin.get_by_label("New note").fill("Wants a receipt.")
    follow(admin, admin.get_by_role("button", name="Add note"))
    log.one("note.add", admin.email)
    follow(admin, admin.locator("article.written", has_text="Wants a receipt.").get_by_role("link", name="Delete"))
    decide(admin)
    log.one("note.withdraw", admin.email)
    admin.goto("/dashboard/views/new?list=orders&status=refunded")
    admin.get_by_label("Name", exact=True).fill("Of the log")
    decide(admin)
    log.one("view.save", admin.email)
    admin.goto(f"{NOTIFICATIONS}/{known.failed_notification}/replays/new")
    decide(admin)
    assert REASON in log.one("notification.replay", admin.email, known.failed_notification)["reason"]


@pytest.mark.parametrize("path", [
    "revenue/table.csv", "subscribers/table.csv", "cohorts/table.csv", "access/table.csv", "usage/table.csv",
    "health/table.csv"])
def test_what_is_taken_out_of_a_chart(admin, log, path):
    assert admin.request.get(f"/dashboard/{path}").status == 200
    log.one("list.export", admin.email)


def test_who_comes_and_goes(visitor, staff, log):
    email = staff("admin")
    fill_in_sign_in(visitor, email)
    visitor.wait_for_url("**/dashboard")
    log.one("session.open", email)
    follow(visitor, visitor.get_by_role("button", name="Sign out"))
    log.one("session.close", email)


@pytest.mark.parametrize("role", ["support", "analyst"])
def test_what_a_role_may_not_is_refused_also_when_it_is_sent(person, log, server, known, role):
    """Sends forms that no page of the role has, with the person's own token."""
    page = person(role)
    token = page.locator("form.display [name=csrf]").first.get_attribute("value")
    for path in (
        f"/dashboard/refunds/{known.refunds['pending']}/approval", f"{STAFF}/{known.colleague}/role",
        f"{CUSTOMERS}/{known.subscriber}/revocations", f"{NOTIFICATIONS}/{known.failed_notification}/replays", BULK,
    ):
        answer = page.request.post(path, form={"csrf": token}, headers={"Origin": server.url})
        assert answer.status == 403, path
        (entry,) = log.news()
        assert (entry["action"], entry["actor"], entry["role"]) == ("access.deny", page.email, role)
        assert entry["request"] == answer.headers["x-request-id"]
