"""A bulk job that is killed in the middle: each customer gets their grant once."""

import pytest

import scale
from desk import Desk
from installation import until

pytestmark = pytest.mark.long

CUSTOMERS = scale.of(10_000, 1_500)
PASSWORD = "correct horse battery"
RUNNING = "SELECT count(*) FROM grants WHERE ended_at IS NULL"
# Each customer's access and its end: running grants, and subscriptions that are not suspended. The clock ends expired ones
# meanwhile.
ENTITLEMENTS = """
    SELECT c.key, plan.code, g.ends_at
    FROM customers c JOIN grants g ON g.customer_id = c.id AND g.ended_at IS NULL JOIN plans plan ON plan.id = g.plan_id
    UNION ALL
    SELECT c.key, CASE WHEN s.period_ends_at > now() THEN s.state ELSE 'over' END, s.period_ends_at
    FROM customers c JOIN subscriptions s ON s.customer_id = c.id
    WHERE NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = s.id AND x.lifted_at IS NULL)
    ORDER BY 1, 2, 3
"""


@pytest.fixture(scope="module")
def customers(installation, traded):
    """Adds older customers, beside those who bought something; returns their ids."""
    return installation.sql(
        f"""
        INSERT INTO customers (id, app_id, key, created_at)
        SELECT gen_random_uuid(), apps.id, 'early-' || number, now()
        FROM apps, generate_series(1, {CUSTOMERS}) AS number
        WHERE slug = 'readmigo'
        RETURNING key
        """)


def staff(installation, name):
    email = f"{name}@example.com"
    installation.do("staff", "add", email, "--name", name, "--role", "admin", input=PASSWORD + "\n")
    return Desk(installation, email, PASSWORD)


def done(installation):
    return int(installation.sql("SELECT count(*) FROM bulk_job_items WHERE state = 'applied'")[0])


def until_job_is(installation, state):
    until(lambda: installation.sql("SELECT state FROM bulk_jobs") == [state], f"a job that is {state}", 120)


def kill_and_start(installation, with_database=False):
    if with_database:
        installation.kill_postgres()
    installation.kill(installation.server)
    installation.start()


def end_leases(installation):
    installation.sql("UPDATE jobs SET lease_ends_at = now() WHERE lease_ends_at IS NOT NULL")


def test_a_job_that_is_killed_in_the_middle_gives_each_once(installation, customers):
    # Purchases are applied after they were answered.
    installation.settle()
    before = installation.sql(ENTITLEMENTS)
    assert before
    ada, bob = staff(installation, "grace"), staff(installation, "bob")
    job = ada.send(
        "/dashboard/bulk/new", "/dashboard/bulk", kind="grant", plan="PRO", days="7",
        lines="\n".join(customers), category="goodwill", reason="A week for everybody who was here before.")
    until_job_is(installation, "ready")
    ada.send(f"{job}/starts/new", f"{job}/starts")
    bob.send(f"{job}/approvals/new", f"{job}/approvals")

    until(lambda: done(installation) > 0, "some of the work", 60)
    kill_and_start(installation)
    # Another worker takes the job over when the dead one's lease has run out; the next times the test does not wait for that.
    seen = done(installation)
    assert 0 < seen < CUSTOMERS, "the kill did not come in the middle"
    until(lambda: done(installation) > seen, "another worker", 60)
    kill_and_start(installation, with_database=True)
    assert seen < done(installation) < CUSTOMERS, "the kill did not come in the middle"
    end_leases(installation)
    until_job_is(installation, "done")
    held = installation.sql("SELECT count(*), count(DISTINCT customer_id) FROM grants")
    assert held == [f"{CUSTOMERS}|{CUSTOMERS}"]
    entries = "SELECT count(*), count(DISTINCT object_id) FROM audit_entries WHERE action = 'access.grant'"
    assert installation.sql(entries) == [f"{CUSTOMERS}|{CUSTOMERS}"]

    ada.send(f"{job}/undoings/new", f"{job}/undoings")
    until(lambda: installation.sql(RUNNING) != [str(CUSTOMERS)], "some of the undoing", 60)
    kill_and_start(installation)
    assert installation.sql(RUNNING) != ["0"], "the kill did not come in the middle"
    end_leases(installation)
    until_job_is(installation, "undone")
    assert installation.sql(RUNNING) == ["0"]
    assert installation.sql(ENTITLEMENTS) == before
    installation.do("audit", "verify")
