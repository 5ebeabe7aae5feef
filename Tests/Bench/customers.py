"""What apps ask most: a customer's entitlements, and counting usage; and the same statements by pgbench."""
import http.client
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from statements import MOMENT, grouped_script, literal, statements

FEATURE = "ai"
DAY = re.compile(r"\d{4}-\d\d-\d\d$")
NUMBER = re.compile(r"-?\d+$")


class Customers:
    """Customers of the filled app with a token each, made by the app's own server."""

    def __init__(self, cluster, filling, directory, count):
        self.cluster, self.directory, self.count, self.app = cluster, directory, count, filling.app
        self.tokens = os.path.join(directory, "customer-tokens")

    def prepare(self, server, product, log):
        """Roomy limits, so that nothing is refused; tokens; and as many sessions for pgbench, numbered."""
        self.cluster.psql("UPDATE plan_features SET per_day = 1000000000, per_month = 1000000000, lifetime = NULL")
        key = self._key(product, log)
        with ThreadPoolExecutor(8) as pool:
            shares = pool.map(lambda first: self._mint(server, key, range(first, self.count + 1, 8)), range(1, 9))
            tokens = [token for share in shares for token in share]
        with open(self.tokens, "w") as file:
            file.writelines(f"Authorization: Bearer {token}\n" for token in tokens)
        for name, some in ("one", tokens[:1]), ("some", tokens[:10_000]):
            with open(f"{self.tokens}-{name}", "w") as file:
                file.writelines(f"Authorization: Bearer {token}\n" for token in some)
        self.cluster.psql("""
            CREATE TABLE bench_sessions AS
            SELECT (row_number() OVER ())::int AS n, id AS session, customer_id AS customer FROM customer_sessions;
            ALTER TABLE bench_sessions ADD PRIMARY KEY (n);
            VACUUM ANALYZE;
            """)

    def environment(self, tokens="", path="/entitlements"):
        return {"WRK_HEADERS": self.tokens + tokens, "WRK_PATHS": self._paths(path)}

    def capture(self, server):
        """What the two calls ask the database once their token is remembered, as scripts for pgbench."""
        with open(f"{self.tokens}-one") as file:
            headers = dict([file.read().strip().split(": ", 1)])
        self.reads = self._script("entitlements", server, "GET", "/entitlements", headers)
        self.counts = self._script("counts", server, "POST", f"/usage/{FEATURE}", headers)

    def _script(self, name, server, method, path, headers):
        self._ask(server, method, path, headers)
        self.cluster.statements()
        self.cluster.logging(True)
        self._ask(server, method, path, headers)
        self.cluster.logging(False)
        found = [one for one in statements(self.cluster.statements()) if one.values]
        known = {row[1]: row[0] for row in (line.split("|") for line in self.cluster.psql(
            "SELECT 'session', session FROM bench_sessions UNION SELECT 'customer', customer FROM bench_sessions").splitlines())}
        # What the server does beside, such as counting its own requests, names neither.
        ours = {one.transaction for one in found if any(_alone(value) in known for value in one.values.values())}
        groups = {}
        for one in (one for one in found if one.transaction in ours):
            def expression(number, one=one):
                value = one.values[number]
                if _alone(value) in known:
                    one_of_them = f"(SELECT {known[_alone(value)]} FROM bench_sessions WHERE n = :n)"
                    return one_of_them if _alone(value) == value else f"ARRAY[{one_of_them}]"
                return "now()" if value is not None and MOMENT.match(value) and len(value) > 12 else _typed(value)
            groups.setdefault(one.transaction, []).append(one.replaced(expression))
        return grouped_script(os.path.join(self.directory, f"{name}.pgb"), [("n", f"random(1, {self.count})")],
                              list(groups.values()))

    def _key(self, product, log):
        environment = {**os.environ, "PERENNIAL_DATABASE_URL": self.cluster.url, "PERENNIAL_STATE": self.cluster.socket}
        command = [product, "app-key", "readmigo", "--name", "bench", "--scope", "tokens:mint"]
        with open(log, "a") as errors:
            said = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=errors, check=True)
        return re.search(r"psk_\S+", said.stdout)[0]

    def _mint(self, server, key, numbers):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        tokens = []
        for number in numbers:
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
    """A value as an SQL literal: of a day and a number the type is said, as the product says it."""
    kind = next((kind for look, kind in ((DAY, "date"), (NUMBER, "bigint")) if value and look.match(value)), None)
    return literal(value, kind)


def _alone(value):
    """The one that an array holds; anything else as it is."""
    return value[1:-1] if value and value.startswith("{") and value.endswith("}") else value
