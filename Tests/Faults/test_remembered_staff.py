"""Servers remember signed-in staff for seconds; a change on any of them, or by a command, holds on all of them at once."""

import http.client
import secrets
import statistics

import pytest

import ports
from installation import REPOSITORY, Installation, until
from locks import held
from stopwatch import Stopwatch

EMAIL = "kim@example.com"
PASSWORD = "correct horse battery\n"
# Longer than a signal takes, and shorter than the three seconds for which a session is remembered without one.
AT_ONCE = 2.5


@pytest.fixture(scope="module")
def office():
    made = Installation()
    try:
        made.start()
        made.do("catalog", "apply", str(REPOSITORY / "Catalogs" / "readmigo.yaml"))
        made.do("staff", "add", EMAIL, "--name", "Kim", "--role", "admin", input=PASSWORD)
        made.start(PERENNIAL_DATABASE_URL=made.database_url(), PERENNIAL_PORT=str(ports.take()))
        yield made
    finally:
        made.remove()


class Browser:
    """One connection to each server with the cookie of one session."""

    def __init__(self, office):
        self.office, self.token = office, secrets.token_hex(32)
        office.sql(f"""
            INSERT INTO staff_sessions (token_hash, staff_id, app_id, created_at, last_seen_at, expires_at)
            SELECT sha256('\\x{self.token}'), t.id, (SELECT id FROM apps LIMIT 1), now(), now(), now() + interval '1 day'
            FROM staff t WHERE email = '{EMAIL}'""")
        self.connections = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=300) for server in office.servers]

    def statuses(self, path="/dashboard/preferences"):
        return [status for status, _ in self.answers(path)]

    def answers(self, path="/dashboard/preferences"):
        found = []
        for connection in self.connections:
            connection.request("GET", path, headers={"Cookie": f"perennial={self.token}"})
            answer = connection.getresponse()
            found.append((answer.status, answer.read().decode()))
        return found

    def until(self, statuses):
        """Waits until every server answers so; returns the seconds."""
        clock = Stopwatch()
        until(lambda: self.statuses() == statuses, f"{statuses}", 10)
        return clock.seconds


def test_who_is_known_is_not_asked_for_again(office):
    browser = Browser(office)
    for _ in range(5):
        assert browser.statuses() == [200, 200]
        with held(office, "LOCK TABLE staff_sessions"):
            answers = browser.statuses()
        # The signal of an earlier change may come late, and makes the servers look everybody up again.
        if answers == [200, 200]:
            break
    assert answers == [200, 200]


def test_a_session_that_is_revoked_on_one_server_is_dead_on_the_other_at_once(office):
    took = []
    for _ in range(20):
        browser = Browser(office)
        assert browser.statuses() == browser.statuses() == [200, 200]
        office.sql(f"DELETE FROM staff_sessions WHERE token_hash = sha256('\\x{browser.token}')")
        took.append(browser.until([303, 303]))
    assert max(took) < AT_ONCE, took
    assert statistics.median(took) < 0.5, took


def test_an_account_that_is_disabled_by_a_command_is_out_on_every_server(office):
    office.do("staff", "add", "sam@example.com", "--name", "Sam", "--role", "admin", input=PASSWORD)
    browser = Browser(office)
    office.sql(f"""
        UPDATE staff_sessions SET staff_id = (SELECT id FROM staff WHERE email = 'sam@example.com')
        WHERE token_hash = sha256('\\x{browser.token}')""")
    assert browser.statuses() == browser.statuses() == [200, 200]
    office.do("staff", "disable", "sam@example.com", "--reason", "Sam has left the company")
    assert browser.until([303, 303]) < AT_ONCE


def test_a_role_that_is_lowered_holds_on_every_server(office):
    office.do("staff", "add", "alex@example.com", "--name", "Alex", "--role", "admin", input=PASSWORD)
    browser = Browser(office)
    office.sql(f"""
        UPDATE staff_sessions SET staff_id = (SELECT id FROM staff WHERE email = 'alex@example.com')
        WHERE token_hash = sha256('\\x{browser.token}')""")
    path = "/dashboard/staff"
    assert browser.statuses(path) == browser.statuses(path) == [200, 200]
    office.sql("UPDATE staff SET role = 'analyst' WHERE email = 'alex@example.com'")
    clock = Stopwatch()
    until(lambda: browser.statuses(path) == [403, 403], "403 on both", 10)
    assert clock.seconds < AT_ONCE


def test_what_waits_is_counted_on_every_server(office):
    browser = Browser(office)
    assert browser.statuses() == [200, 200]
    office.sql("""
        INSERT INTO store_notifications (id, app_id, store, environment, notification_uuid, type, signed_at, received_at,
            signed_payload, state, scheduled_at, last_error, finalized_at)
        SELECT gen_random_uuid(), id, 'apple', 'sandbox', gen_random_uuid()::text, 'TEST', now(), now(), 'x', 'failed', now(),
            'strange', now()
        FROM apps""")
    clock = Stopwatch()
    until(lambda: all(">1<" in page for _, page in browser.answers()), "a failed notification in the navigation", 10)
    assert clock.seconds < AT_ONCE


def test_a_server_that_does_not_hear_of_changes_remembers_nobody(office):
    browser = Browser(office)
    assert browser.statuses() == browser.statuses() == [200, 200]
    listening = office.sql("SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pg_terminate_backend(pid)")
    assert len(listening) == len(office.servers)
    still = f"SELECT count(*) FROM pg_stat_activity WHERE pid IN ({', '.join(listening)})"
    until(lambda: office.sql(still) == ["0"], "the end of those that listen", 10)
    office.sql(f"DELETE FROM staff_sessions WHERE token_hash = sha256('\\x{browser.token}')")
    assert browser.until([303, 303]) < AT_ONCE
    # It hears signals again, and remembers again.
    again = Browser(office)
    assert again.statuses() == again.statuses() == [200, 200]
    office.sql(f"DELETE FROM staff_sessions WHERE token_hash = sha256('\\x{again.token}')")
    assert again.until([303, 303]) < AT_ONCE
