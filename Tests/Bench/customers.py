"""Apps' most frequent calls, a customer's entitlements and counted usage; and the same statements by pgbench."""
import http.client
import json
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor

from limits import NotTaken
from logged import MOMENT, grouped_script, literal, statements

FEATURE = "ai"
DAY = re.compile(r"\d{4}-\d\d-\d\d$")
NUMBER = re.compile(r"-?\d+$")


class Customers:
    """Customers of the filled app, each with a token minted by the app's own server."""

    def __init__(self, cluster, filling, directory, count):
        self.cluster, self.directory, self.count, self.app = cluster, directory, count, filling.app
        self.tokens = os.path.join(directory, "customer-tokens")
        self.is_over, self.scripts = threading.Event(), {}

    def prepare(self, server, key):
        """Raises the limits, so that nothing is refused; mints tokens; and numbers their sessions for pgbench."""
        self.cluster.psql("UPDATE plan_features SET per_day = 1000000000, per_month = 1000000000, lifetime = NULL")
        with ThreadPoolExecutor(8) as pool:
            try:
                shares = pool.map(lambda first: self._mint(server, key, range(first, self.count + 1, 8)), range(1, 9))
                tokens = [token for share in shares for token in share]
            finally:
                # A caller that gives up does not wait for all the others.
                self.is_over.set()
        with open(self.tokens, "w") as file:
            file.writelines(f"Authorization: Bearer {token}\n" for token in tokens)
        for name, some in ("one", tokens[:1]), ("some", tokens[:10_000]):
            with open(f"{self.tokens}-{name}", "w") as file:
                file.writelines(f"Authorization: Bearer {token}\n" for token in some)
        self.cluster.psql("""
            DROP TABLE IF EXISTS bench_sessions;
            CREATE TABLE bench_sessions AS
            SELECT (row_number() OVER ())::int AS n, id AS session, customer_id AS customer FROM customer_sessions;
            ALTER TABLE bench_sessions ADD PRIMARY KEY (n);
            VACUUM ANALYZE;
            """)

    def environment(self, tokens="", path="/entitlements"):
        return {"WRK_HEADERS": self.tokens + tokens, "WRK_PATHS": self._paths(path)}

    def capture(self, name, server, method, path):
        """Captures a call's queries once its token is remembered, as a script for pgbench."""
        with open(f"{self.tokens}-one") as file:
            headers = dict([file.read().strip().split(": ", 1)])
        self._ask(server, method, path, headers)
        with self.cluster.watched() as logged:
            self._ask(server, method, path, headers)
        found = [one for one in statements(logged) if one.values]
        known = {row[1]: row[0] for row in (line.split("|") for line in self.cluster.psql(
            "SELECT 'session', session FROM bench_sessions UNION SELECT 'customer', customer FROM bench_sessions").splitlines())}
        # The server's own statements, such as those that count its requests, name neither.
        ours = {one.transaction for one in found if any(_alone(value) in known for value in one.values.values())}
        if not ours:
            raise NotTaken(f"{method} {path} asks nothing that names its customer")
        groups = {}
        for one in (one for one in found if one.transaction in ours):
            def expression(number, one=one):
                value = one.values[number]
                if _alone(value) in known:
                    one_of_them = f"(SELECT {known[_alone(value)]} FROM bench_sessions WHERE n = :n)"
                    return one_of_them if _alone(value) == value else f"ARRAY[{one_of_them}]"
                return "now()" if value is not None and MOMENT.match(value) and len(value) > 12 else _typed(value)
            groups.setdefault(one.transaction, []).append(one.replaced(expression))
        self.scripts[name] = grouped_script(os.path.join(self.directory, f"{name}.pgb"), [("n", f"random(1, {self.count})")],
                                            list(groups.values()))

    def script(self, name):
        """Returns the script that `capture` made of a call; raises `NotTaken` where it made none."""
        if name not in self.scripts:
            raise NotTaken(f"it was not seen what {name} ask the database")
        return self.scripts[name]

    def _mint(self, server, key, numbers):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        tokens = []
        for number in numbers:
            if self.is_over.is_set():
                break
            connection.request("POST", f"/customers/reader-{number}/tokens", "{}",
                               {"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
            response = connection.getresponse()
            answer = json.loads(response.read())
            if response.status != 201:
                raise RuntimeError(f"no token for reader-{number}: {answer}")
            tokens.append(answer["accessToken"])
        return tokens

    def _ask(self, server, method, path, headers):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request(method, path, "{}" if method == "POST" else None, {**headers, "Content-Type": "application/json"})
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"{method} {path} answers {response.status}: {body[:300]}")

    def _paths(self, path):
        name = os.path.join(self.directory, "paths-" + re.sub(r"\W", "-", path))
        with open(name, "w") as file:
            file.write(path + "\n")
        return name


def _typed(value):
    """Returns a value as an SQL literal; days and numbers carry their type, as in the product."""
    kind = next((kind for look, kind in ((DAY, "date"), (NUMBER, "bigint")) if value and look.match(value)), None)
    return literal(value, kind)


def _alone(value):
    """Returns the single element of an array; any other value as it is."""
    return value[1:-1] if value and value.startswith("{") and value.endswith("}") else value
