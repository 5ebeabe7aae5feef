"""Notifications stored over HTTP, then applied; and the same statements by pgbench on rows made beforehand."""
import os
import socket

import children
from limits import NotTaken
from logged import literal, script, statements, types
from processes import tree_cpu_seconds
from rates import per_request, pgbench
from renewal import Renewal, key_of

PER_SUBSCRIPTION = 12
# The numbers of pgbench's own subscriptions have twelve digits; each client counts in a range of its own.
FIRST, RANGE = 100_000_000_000, 1_000_000


class Notifications:
    def __init__(self, cluster, filling, directory, tools, product):
        self.cluster, self.filling, self.directory = cluster, filling, directory
        self.tools, self.product = tools, product
        self.authority = os.path.join(directory, "authority")
        self.requests = os.path.join(directory, "requests")
        self.base = FIRST
        self.store_script = self.apply_script = None
        self.is_made = self.is_kept = False

    def make(self, count):
        children.run([self.tools, "requests", "--count", str(count), "--per-subscription", str(PER_SUBSCRIPTION), "--authority",
                      self.authority, self.requests])
        # The requests that warm the server up are not sent again.
        for number in range(2):
            with open(f"{self.requests}.{number}", "rb") as source, open(f"{self.requests}-warm.{number}", "wb") as warm:
                for _ in range(min(500, count // 10)):
                    length = source.readline()
                    warm.write(length + source.read(int(length)))
        self.is_made = True

    def needs_made(self):
        if not self.is_made:
            raise NotTaken("no notifications were signed")

    def needs_kept(self):
        if not self.is_kept:
            raise NotTaken("none was taken in before")

    def environment(self):
        return {"WRK_REQUESTS": self.requests}

    def warm_up_environment(self):
        return {"WRK_REQUESTS": self.requests + "-warm"}

    def stored(self):
        return int(self.cluster.psql("SELECT count(*) FROM store_notifications WHERE state = 'received'"))

    def keep(self):
        """Puts the stored notifications aside, to be applied later, and empties the inbox."""
        self.cluster.psql("""
            CREATE TABLE IF NOT EXISTS bench_inbox (LIKE store_notifications);
            INSERT INTO bench_inbox SELECT * FROM store_notifications n WHERE state = 'received'
                AND NOT EXISTS (SELECT FROM bench_inbox b WHERE b.notification_uuid = n.notification_uuid);
            """)
        self.empty()
        self.is_kept = True

    def empty(self):
        """Removes the notifications that are not applied, and their attempts, which nothing else may delete."""
        self.cluster.psql("""
            SET session_replication_role = replica;
            DELETE FROM notification_attempts a USING store_notifications n
            WHERE n.id = a.notification_id AND n.state = 'received';
            DELETE FROM store_notifications WHERE state = 'received';
            """)
        self.cluster.psql("VACUUM store_notifications")

    def offer(self, share, shares, limit):
        """Puts a share of the kept subscriptions back into the inbox; returns the number of their notifications."""
        self.cluster.psql(f"""
            INSERT INTO store_notifications (id, app_id, store, environment, notification_uuid, type, subtype,
                original_transaction_id, signed_at, received_at, signed_payload, event, state, scheduled_at)
            SELECT id, app_id, store, environment, notification_uuid, type, subtype, original_transaction_id, signed_at,
                received_at, signed_payload, event, 'received', now()
            FROM bench_inbox
            WHERE (hashtext(original_transaction_id)::bigint & 2147483647) % {shares} = {share}
            ORDER BY signed_at
            LIMIT {limit}
            """)
        self.cluster.psql("VACUUM ANALYZE store_notifications")
        return self.stored()

    def apply(self, log):
        """Makes the product apply the inbox; returns the rate, from the first attempt's start to the last's end.

        Notifications that the product will try again later are left.
        """
        environment = {**os.environ, "PERENNIAL_DATABASE_URL": self.cluster.url, "PERENNIAL_STATE": self.cluster.socket}
        expected = self.stored()
        since = self.cluster.psql("SELECT now()")
        with open(log, "a") as file:
            before = self._children()
            postgres = self._postgres()
            children.run([self.product, "work", "--once"], env=environment, stdout=file, stderr=file)
            result = {"server_cpu": self._children() - before, "postgres_cpu": self._postgres() - postgres}
        count, seconds = self.cluster.psql(f"""
            SELECT count(*), extract(epoch FROM max(finished_at) - min(started_at))
            FROM notification_attempts WHERE result = 'processed' AND started_at >= '{since}'
            """).split("|")
        # A few that waited too long for a lock will be tried again; when they are many, something else is wrong.
        if int(count) < max(1, 0.9 * expected):
            raise RuntimeError(f"{expected} notifications were due and {count} applied: {self._complaints(since)}")
        return {**per_request(result, int(count)), "count": int(count), "seconds": float(seconds),
                "rate": int(count) / float(seconds), "p50": None, "p99": None,
                "note": "" if int(count) == expected else f"{count} of {expected}"}

    def _complaints(self, since):
        """Returns the errors of attempts since then that did not succeed."""
        return self.cluster.psql(f"""
            SELECT coalesce(string_agg(DISTINCT left(error, 100), '; '), 'none was tried')
            FROM notification_attempts WHERE result <> 'processed' AND started_at >= '{since}'""")

    def _children(self):
        times = os.times()
        return times.children_user + times.children_system

    def _postgres(self):
        return tree_cpu_seconds(self.cluster.pid)

    def capture_storing(self, server):
        """Watches the product store a notification, and makes a pgbench script that stores similar ones."""
        self.needs_made()
        self.store_script = self._store_script(server)

    def capture_applying(self, log):
        """Watches the product apply a renewal, and makes a pgbench script that does the same to rows made beforehand.

        Where a renewal has to be tried again, another subscription's is watched.
        """
        self.needs_kept()
        originals = self.cluster.psql("""
            SELECT original_transaction_id FROM bench_inbox GROUP BY 1 HAVING count(*) >= 3 ORDER BY count(*), 1 LIMIT 3""").split()
        if not originals:
            raise NotTaken("no subscription was taken in that is renewed twice")
        for number, original in enumerate(originals, 1):
            try:
                self._watch(original, log)
                break
            except RuntimeError as error:
                self.empty()
                if number == len(originals):
                    raise error

    def _watch(self, original, log):
        # The renewal comes second: rows that a first notification makes exist by then.
        self._let_in(original, 0)
        self.apply(log)
        self._let_in(original, 1)
        with self.cluster.watched() as logged:
            self.apply(log)
        self.renewal = Renewal(self.cluster, original, logged)
        self.apply_script = self.renewal.script(os.path.join(self.directory, "apply.pgb"), PER_SUBSCRIPTION, RANGE)
        self.cluster.psql(f"DELETE FROM bench_inbox WHERE original_transaction_id = '{original}'")

    def _let_in(self, original, step):
        self.cluster.psql(f"""
            INSERT INTO store_notifications SELECT * FROM bench_inbox WHERE original_transaction_id = '{original}'
            ORDER BY signed_at OFFSET {step} LIMIT 1""")

    def _store_script(self, server):
        """Sends a notification, and takes the statement that stores it from the log."""
        with open(f"{self.requests}-warm.0", "rb") as file:
            request = file.read(int(file.readline()))
        with self.cluster.watched() as logged:
            with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
                connection.sendall(request)
                if b" 200 " not in connection.recv(4096).split(b"\r\n")[0]:
                    raise RuntimeError("the server does not take a notification in")
        insert = next((found for found in statements(logged) if "INSERT INTO store_notifications" in found.text), None)
        if not insert:
            raise NotTaken("a notification was taken in without INSERT INTO store_notifications")
        identifier, name = self.cluster.psql(
            "SELECT id, notification_uuid FROM store_notifications ORDER BY id DESC LIMIT 1").split("|")
        self.empty()
        made = {"{%s}" % identifier: "array[gen_random_uuid()]", "{%s}" % name: "array['stored ' || :r]"}
        known = types(self.cluster, insert)
        text = insert.replaced(lambda n: made.get(insert.values[n], literal(insert.values[n], known.get(n))))
        return script(os.path.join(self.directory, "store.pgb"), [("r", "random(1, 9000000000000000000)")], [text])

    def apply_by_pgbench(self, count, clients):
        """Measures the transaction of a renewal on rows made beforehand.

        Raises `NotTaken` where it was not seen.
        """
        if not self.apply_script:
            raise NotTaken("it was not seen how a notification is applied")
        each = -(-count // clients)
        self._make_rows(each, clients)
        variables = [("i", -1), ("base", self.base)]
        result = pgbench(self.cluster, self.apply_script, None, clients, variables, each * clients, warm_up=0)
        self.base += clients * RANGE
        return result

    def _make_rows(self, each, clients):
        """Inserts leased notifications with an event of the usual size."""
        self.cluster.psql(f"""
            INSERT INTO store_notifications (id, app_id, store, environment, notification_uuid, type, subtype,
                original_transaction_id, signed_at, received_at, signed_payload, event, state, attempt, scheduled_at,
                attempted_by, lease_ends_at)
            SELECT {key_of('notification', 'n.k')}, b.app_id, b.store, b.environment, 'made ' || n.k, b.type, b.subtype,
                '8' || n.c, b.signed_at + n.i * interval '1 day', b.received_at, b.signed_payload, b.event, 'processing', 1,
                now(), '{self.renewal.worker}', now() + interval '1 hour'
            FROM (SELECT {self.base} + client * {RANGE}::bigint + i AS k,
                      {self.base} + client * {RANGE}::bigint + i / {PER_SUBSCRIPTION} AS c, i
                  FROM generate_series(0, {clients - 1}) AS client, generate_series(0, {each - 1}) AS i) AS n,
                 (SELECT * FROM bench_inbox WHERE type = 'DID_RENEW' LIMIT 1) AS b
            """)
        self.cluster.psql("VACUUM ANALYZE store_notifications")
