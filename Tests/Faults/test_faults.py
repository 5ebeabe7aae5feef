"""The fault campaign: killed processes recover by themselves under load, and no notification that was answered with 200 is lost or
applied twice. The tests run in this order, on one installation, and the last ones check its final state."""

import contextlib
import http.client
import subprocess
import threading
import time

import pytest

import invariants
import load
import ports
from installation import Server, until
from locks import held
from stopwatch import Stopwatch

pytestmark = pytest.mark.long

# The longest that a webhook waits for its answer, in seconds.
MAY_WAIT = 1.2
LOCK = "LOCK TABLE store_notifications"


@pytest.fixture(autouse=True)
def one_server_that_is_well(installation):
    """Begins each test with one server that is ready, even after a test that failed half-way."""
    if len(installation.servers) != 1 or installation.server.status("/readyz") != 200:
        while installation.servers:
            installation.kill(installation.server)
        installation.start()


def until_load_goes_on(journal, answers=20):
    """Waits until so many more requests are accepted: kills must hit some of them."""
    before = journal.answers[200]
    until(lambda: journal.answers[200] >= before + answers, "accepting", 60)


def is_lost(installation, journal):
    return invariants.violations(installation, journal, ["I1", "I2"])


def test_kill_of_everything_under_load(installation, payloads, journal):
    """F1, F3: SIGKILL to server and database together, and a start, several times."""
    port = installation.server.port
    with load.Load(payloads, [port], journal, copies=3, per_second=150) as sending:
        for _ in range(3):
            accepted = len(journal.accepted)
            until(lambda: len(journal.accepted) > accepted + 20, "accepting", 60)
            installation.kill_postgres()
            installation.kill(installation.server)
            installation.start()
            assert is_lost(installation, journal) == []
        sending.stop()
    assert journal.answers[200] > 60
    assert journal.answers[0] > 0, "no kill met a request"
    assert set(journal.answers) <= {0, 200, 503}


def test_kill_of_the_server_alone(installation, payloads, journal):
    """F1: the database ends with its server, or is stopped by the next one; no manual step."""
    with load.Load(payloads, [installation.server.port], journal, copies=2, seed=2):
        for _ in range(2):
            accepted = len(journal.accepted)
            until(lambda: len(journal.accepted) > accepted + 10, "accepting", 60)
            installation.kill(installation.server)
            installation.start()
            assert is_lost(installation, journal) == []


def test_kill_of_the_database_alone(installation, payloads, journal):
    """F3: the server stays, answers 503 and no premature 200, and recovers by itself."""
    server = installation.server
    refused = journal.answers[503]
    with load.Load(payloads, [server.port], journal, copies=20, per_second=200, seed=3) as sending:
        for kills in range(10):
            # A kill may hit no request; those that arrive while the database starts wait for it.
            if kills >= 2 and journal.answers[503] > refused:
                break
            until_load_goes_on(journal)
            before = installation.postmaster()
            installation.kill_postgres()
            assert server.status("/healthz") == 200
            until(lambda: installation.postmaster() not in (None, before), "another database server", 20)
            server.wait_until_ready(20)
        sending.stop()
    assert server.process.poll() is None
    assert set(journal.answers) <= {0, 200, 503}
    assert journal.answers[503] > refused, "no kill met a request"
    assert is_lost(installation, journal) == []


def test_lost_connections(installation, payloads, journal):
    """F4: sessions are cut at random, in the middle of their work."""
    server = installation.server
    with load.Load(payloads, [server.port], journal, copies=2, per_second=200, seed=4):
        for _ in range(8):
            until_load_goes_on(journal)
            installation.sql(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE application_name = 'perennial' AND random() < 0.5")
    server.wait_until_ready(20)
    assert set(journal.answers) <= {0, 200, 503}
    assert is_lost(installation, journal) == []


def test_a_table_that_is_locked(installation, payloads, journal):
    """F6: a notification that cannot be stored in time is refused or stored later, never lost; the server stays healthy
    meanwhile."""
    server = installation.server
    refused = journal.answers[503]
    with held(installation, LOCK) as lock, \
            load.Load(payloads, [server.port], journal, copies=1, per_second=50, seed=5) as sending:
        until(lambda: journal.answers[503] >= refused + 8, "turning away", 60)
        clock = Stopwatch()
        assert server.status("/healthz") == 200
        assert clock.seconds < 5
        lock.release()
        server.wait_until_ready(20)
        accepted = journal.answers[200]
        until(lambda: journal.answers[200] > accepted + 5, "accepting", 20)
        sending.stop()
    assert is_lost(installation, journal) == []


def stop_behind_a_lock(installation, payloads, journal, seconds):
    """Stops a server while the inbox is locked for so long and 40 webhooks wait; returns their answers, each with its seconds."""
    server = installation.server
    answers = []

    def send(uuid, payload):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
        begun = time.monotonic()
        status = load.post(connection, payload)
        took = time.monotonic() - begun
        journal.write(uuid, status, 0)
        answers.append((status, took))

    senders = [threading.Thread(target=send, args=item) for item in list(payloads.items())[:40]]
    with held(installation, LOCK) as lock:
        for sender in senders:
            sender.start()
        # On a busy machine the first may have waited as long as they may before the last arrive.
        until(lambda: server.requests_in_hand() + len(answers) >= len(senders), "all requests in the server's hands", 20)
        assert 200 not in {status for status, _ in answers}, "the lock holds nothing up"
        lock.release_after(seconds)
        clock = Stopwatch()
        assert installation.stop(server) == 0
        assert clock.seconds < 15
        for sender in senders:
            sender.join(300)
    assert installation.postmaster() is None
    assert not (installation.cluster / "data" / "postmaster.pid").exists()
    assert not list((installation.cluster / "socket").glob(".s.PGSQL.*"))
    installation.start()
    assert is_lost(installation, journal) == []
    return answers


def send_again(installation, payloads, journal):
    """Sends notifications again, as a store does after a 503."""
    with load.Load(dict(list(payloads.items())[:40]), [installation.server.port], journal, copies=1) as sending:
        sending.join()


def test_sigterm_drains(installation, payloads, journal):
    """F18: requests under way are answered with 200, the server ends with 0, and its database stops."""
    # Shorter than a webhook may wait for its answer; a busy machine that makes it longer explains other answers.
    answers = stop_behind_a_lock(installation, payloads, journal, seconds=0.3)
    assert len(answers) == 40
    assert [answer for answer in answers if answer[0] != 200 and answer[1] < MAY_WAIT] == []
    send_again(installation, payloads, journal)


def test_sigterm_ends_a_server_that_waits_for_a_lock(installation, payloads, journal):
    """F18: a lock that outlasts a webhook's wait holds up neither the webhooks nor the end of the server."""
    answers = stop_behind_a_lock(installation, payloads, journal, seconds=3)
    assert len(answers) == 40 and {status for status, _ in answers} <= {200, 503}
    send_again(installation, payloads, journal)


def test_a_start_that_is_killed_at_any_moment(installation, payloads):
    """A start is killed later and later; the last one succeeds."""
    installation.stop(installation.server)
    for moment in [0.05, 0.3, 0.6, 1.0, 1.5]:
        server = Server(installation.environment, installation.log, ready_within=None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.process.wait(moment)
        server.kill()
    installation.start()


def test_everything_settles(installation, payloads, journal):
    """The leases of killed servers run out and their work is done again; after that the books are right."""
    installation.settle()
    assert invariants.violations(installation, journal) == []
    assert installation.sql("SELECT count(*) FROM store_notifications WHERE state = 'failed'") == ["0"]
    # A killed server may have stored notifications that it did not answer.
    assert len(journal.accepted) <= int(installation.sql("SELECT count(*) FROM store_notifications")[0]) <= len(payloads)


BOOKS = ("store_notifications", "notification_attempts", "subscription_events", "ledger_entries", "orders",
         "subscriptions", "customers")


def empty_books(installation):
    """Empties the books in one transaction, which waits for all locks on customers: an end that the clock records meanwhile would
    be left over."""
    installation.sql("BEGIN; LOCK TABLE customers IN EXCLUSIVE MODE; SET LOCAL session_replication_role = replica; "
                     + "".join(f"DELETE FROM {table}; " for table in BOOKS) + "COMMIT")


# Records the workers that lease a notification.
NOTE_WORKERS = """
CREATE SCHEMA IF NOT EXISTS campaign;
CREATE TABLE campaign.workers (id uuid PRIMARY KEY);
CREATE FUNCTION campaign.note_worker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO campaign.workers SELECT NEW.attempted_by WHERE NOT EXISTS (SELECT FROM campaign.workers WHERE id = NEW.attempted_by)
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER note_worker AFTER UPDATE ON store_notifications
    FOR EACH ROW WHEN (NEW.attempted_by IS NOT NULL) EXECUTE FUNCTION campaign.note_worker();
"""


def test_two_servers_share_the_work(installation, payloads, journal):
    """F12: duplicates reach two servers on one database at once; each notification is applied by one of them, once."""
    first = installation.server
    second = installation.start(
        PERENNIAL_PORT=str(ports.take()), PERENNIAL_DATABASE_URL=installation.database_url())
    # Send everything again, from the beginning: the books are emptied, the journal is kept.
    empty_books(installation)
    installation.sql(NOTE_WORKERS)
    with load.Load(payloads, [first.port, second.port], journal, copies=2, per_second=400, seed=6) as sending:
        sending.join()
    assert journal.accepted == set(payloads)
    installation.settle()
    assert installation.sql("SELECT count(*) FROM campaign.workers") == ["2"], "one server did all the work"
    # Only now: dropping the trigger locks the table, and the workers' writes would wait meanwhile and be tried again.
    installation.sql("DROP TABLE campaign.workers; DROP FUNCTION campaign.note_worker CASCADE")
    assert installation.stop(second) == 0
    assert invariants.violations(installation, journal) == []
    # A worker waits for a customer whom the other server has locked for a second, which is no attempt; nothing else is tried
    # again.
    retried = installation.sql("SELECT DISTINCT error FROM notification_attempts WHERE result = 'retried'")
    assert set(retried) <= {"Somebody else is changing this customer; it is tried again."}
    assert installation.sql("SELECT max(attempt - snoozes) FROM store_notifications WHERE event IS NOT NULL") == ["1"]
    assert installation.sql("SELECT max(n) FROM (SELECT count(*) AS n FROM notification_attempts"
                            " WHERE result IN ('processed', 'ignored') GROUP BY notification_id) AS finished") == ["1"]


def test_kill_of_one_of_two_servers(installation, payloads, journal):
    """F1: the work of the killed server goes to the other when the lease runs out."""
    second = installation.start(
        PERENNIAL_PORT=str(ports.take()), PERENNIAL_DATABASE_URL=installation.database_url())
    empty_books(installation)
    with load.Load(payloads, [installation.server.port], journal, copies=1, per_second=400, seed=7) as sending:
        until(
            lambda: installation.sql("SELECT count(DISTINCT attempted_by) FROM store_notifications") == ["2"],
            "work of both", 30)
        installation.kill(second)
        sending.join()
    installation.settle()
    assert installation.sql("SELECT count(*) > 0 FROM notification_attempts WHERE result = 'retried'") == ["t"]
    assert invariants.violations(installation, journal) == []
    assert installation.sql("SELECT count(*) FROM store_notifications WHERE state = 'failed'") == ["0"]


@pytest.mark.parametrize("name", invariants.INVARIANTS)
def test_each_invariant_sees_its_violation(installation, payloads, journal, token, name):
    """A check that never fails proves nothing: one violation of each is planted, detected, and rolled back."""
    invariants.keep(installation, journal)
    for plant in VIOLATIONS[name]:
        seen = installation.sql(
            f"BEGIN; SET LOCAL session_replication_role = replica; {plant}; {invariants.script([name])} ROLLBACK;")
        assert [line for line in seen if line.startswith(name)], f"{name} does not see: {plant}"
    assert invariants.violations(installation, journal) == []


ONE = "WHERE id = (SELECT id FROM {0} ORDER BY id LIMIT 1)"
VIOLATIONS = {
    "I1": [
        "DELETE FROM store_notifications " + ONE.format("store_notifications"),
        "INSERT INTO campaign.journal VALUES ('never stored', true)",
    ],
    "I2": [
        "ALTER TABLE store_notifications DROP CONSTRAINT one_row_per_notification; "
        "UPDATE store_notifications SET notification_uuid = 'same'",
        "ALTER TABLE subscription_events DROP CONSTRAINT one_row_per_event; "
        "UPDATE subscription_events SET event_id = 'same'",
        "DROP INDEX one_order_per_store_transaction; "
        "UPDATE orders SET transaction_id = 'same'",
        "ALTER TABLE ledger_entries DROP CONSTRAINT one_entry_per_fact; UPDATE ledger_entries SET reference = 'same'",
        "ALTER TABLE orders DROP CONSTRAINT one_order_per_number; "
        "UPDATE orders SET number = 'same'",
    ],
    "I3": [
        "UPDATE store_notifications SET state = 'received', finalized_at = NULL " + ONE.format("store_notifications"),
        "UPDATE store_notifications SET state = 'processing', finalized_at = NULL, attempted_by = gen_random_uuid(), "
        "lease_ends_at = now() " + ONE.format("store_notifications"),
    ],
    "I4": [
        "DELETE FROM subscription_events " + ONE.format("subscription_events"),
        "DELETE FROM notification_attempts WHERE notification_id = (SELECT notification_id FROM subscription_events LIMIT 1)",
        "INSERT INTO notification_attempts SELECT notification_id, 99, result, error, started_at, finished_at "
        "FROM notification_attempts WHERE result = 'processed' LIMIT 1",
        "DELETE FROM ledger_entries WHERE reference = 'charge'",
        "UPDATE subscriptions SET version = version + 1 " + ONE.format("subscriptions"),
    ],
    "I5": [
        "UPDATE subscriptions SET state = 'paused' " + ONE.format("subscriptions"),
        "UPDATE subscription_events SET state_after = 'paused' " + ONE.format("subscription_events"),
        "UPDATE subscriptions SET last_signed_at = last_signed_at - interval '1 s' " + ONE.format("subscriptions"),
        "UPDATE orders SET amount = amount + 1 WHERE id = (SELECT id FROM orders WHERE refunded = 0 LIMIT 1)",
        "UPDATE orders SET number = 'ORD-19990101-0001' " + ONE.format("orders"),
        "UPDATE order_numbers SET last_sequence = 0",
    ],
    "I6": [
        "INSERT INTO ledger_entries (id, app_id, order_id, kind, status, amount, currency, store, environment, "
        "store_transaction_id, reference, occurred_at, recorded_at) SELECT gen_random_uuid(), app_id, id, 'refund', "
        "'success', -amount - 1, currency, store, environment, transaction_id, 'planted', now(), now() "
        "FROM orders LIMIT 1",
    ],
    "I7": [
        "INSERT INTO staff (id, email, name, role, password_hash, created_at, updated_at) "
        "VALUES (gen_random_uuid(), 'eve@example.com', 'Eve', 'admin', '-', now(), now())",
        "INSERT INTO promo_batches (id, app_id, name, channel, plan_id, days, code_count, uses_per_code, uses_per_customer, "
        "created_as, created_at) SELECT gen_random_uuid(), app_id, 'planted', 'fair', id, 30, 1, 1, 1, 'eve', now() "
        "FROM plans LIMIT 1",
        "DELETE FROM audit_entries WHERE action = 'staff.add'",
        "INSERT INTO staff_tokens (id, staff_id, name, token_hash, created_at) "
        "SELECT gen_random_uuid(), id, 'planted', sha256('planted'), now() FROM staff LIMIT 1",
        "INSERT INTO app_keys (id, app_id, slot, name, scopes, token_hash, created_as, created_at) "
        "SELECT gen_random_uuid(), id, 1, 'planted', '{usage:write}', sha256('planted'), 'eve', now() FROM apps LIMIT 1",
    ],
}
