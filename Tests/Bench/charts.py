"""Measures the overview and the charts, over two years of a store's notifications and over a hundred times as many."""
import http.client
import os
import time

import children
from fill import session_token
from processes import perennial
from report import most

# The tables with rows of a customer, in the order in which the rows can be copied for others. Charts read no search index.
TABLES = ["customers", "subscriptions", "orders", "ledger_entries", "access_periods", "access_changes", "subscriber_entries"]
KEYS = {"id", "customer_id", "subscription_id", "order_id", "app_account_token"}
TEXTS = {"key", "external_id", "number", "transaction_id", "original_transaction_id", "store_transaction_id"}
# Makes the key of a row's nth copy; copies refer to each other as their originals do, for references change in the same way.
NTH = """
CREATE FUNCTION nth(id uuid, n int) RETURNS uuid LANGUAGE sql IMMUTABLE RETURN
    (left(id::text, 15) || substr(md5(id::text || n), 1, 3) || '-8' || substr(md5(id::text || n), 4, 3) || '-'
     || substr(md5(id::text || n), 7, 12))::uuid
"""
# One copy in thirty began on the same day as its original.
DAYS = "n % 30"

PAGES = [
    ("overview", "/dashboard"),
    ("revenue by month", "/dashboard/revenue"),
    ("revenue by day, its refunds by country", "/dashboard/revenue?grain=day&show=refunds&by=country"),
    ("revenue by week, in one currency", "/dashboard/revenue?grain=week&show=gross&by=plan&in=CNY"),
    ("revenue as it was known half a year ago", "/dashboard/revenue?as_of={half_a_year_ago}"),
    ("subscribers as they were known then", "/dashboard/subscribers?as_of={half_a_year_ago}"),
    ("subscribers", "/dashboard/subscribers"),
    ("subscribers by week, of one plan", "/dashboard/subscribers?grain=week&plan=PRO"),
    ("subscribers, in one currency", "/dashboard/subscribers?in=CNY"),
    ("cohorts", "/dashboard/cohorts"),
    ("cohorts of one plan", "/dashboard/cohorts?plan=PRO&period=P1Y"),
    ("access gained and lost", "/dashboard/access"),
    ("rows behind: ledger", "/dashboard/ledger"),
    ("rows behind: subscribers", "/dashboard/subscribers/rows"),
]


def measure(bench):
    charts, options, report = Charts(bench.cluster, bench.options, bench.directory, bench.log), bench.options, bench.report
    bench.few = bench.many = "nothing"
    orders = 0
    with bench.step("the overview and the charts, filled", options.preparation):
        bench.filling.people()
        began = time.monotonic()
        bench.few = charts.said("perennial", charts.fill())
        print(f"    {bench.few}, sent and applied in {time.monotonic() - began:.0f} s", flush=True)
        began = time.monotonic()
        charts.multiply(options.times)
        orders = charts.orders("many")
        bench.many = charts.said("many", orders)
        print(f"    {bench.many}, made in {time.monotonic() - began:.0f} s", flush=True)
    if orders:
        print("==> The overview and the charts", flush=True)
        bench.load = os.getloadavg()[0]
        charts.measure(bench)
    report.metric("charts: the overview and the charts, many orders over few, the page that grows most", "≤ 1.5 ×",
                  report.worst_growth(), most(1.5), " ×")
    report.metric(f"charts: {orders:,} orders, the slowest of these pages, 95 % of its answers take at most", "≤ 300 ms",
                  report.slowest_page(), most(300), " ms")


class Charts:
    def __init__(self, cluster, options, directory, log, tables=TABLES, days=DAYS):
        self.cluster, self.options, self.directory, self.log = cluster, options, directory, log
        self.tables, self.days = tables, days

    def fill(self):
        """Sends the product two years of a store as signed notifications."""
        self.cluster.autovacuum(True)
        with perennial(self.options.product, self.cluster, self.log) as server, open(self.log, "a") as log:
            children.run(
                [self.options.product, "simulate", "apple", "--customers", str(self.options.lives), "--seed", "7",
                 "--authority", os.path.join(self.directory, "authority"), "--to", f"http://127.0.0.1:{server.port}"],
                stdout=log, stderr=log)
            while int(self.cluster.psql("SELECT count(*) FROM store_notifications WHERE state IN ('received', 'processing')")):
                time.sleep(0.5)
        self.cluster.autovacuum(False)
        self._heard_as_it_happened()
        self._rates()
        self.cluster.psql("VACUUM ANALYZE")
        return self.orders()

    def multiply(self, times):
        """Makes a second database with so many copies of every customer, under other keys and on other days."""
        self.cluster.psql("DROP DATABASE IF EXISTS many")
        self.cluster.psql("CREATE DATABASE many TEMPLATE perennial")
        self._many(NTH)
        indexes = self._drop_indexes()
        for table in self.tables:
            columns = self._columns(table)
            names, values = ", ".join(columns), ", ".join(self._of_another(*column) for column in columns.items())
            self._many(f"SET session_replication_role = replica; INSERT INTO {table} ({names}) SELECT {values} "
                       f"FROM {table}, generate_series(1, {times - 1}) AS n")
        self._rollups(times)
        for definition in indexes:
            self._many(definition)
        self._many("VACUUM ANALYZE")
        self.cluster.psql("CHECKPOINT")

    def orders(self, database="perennial"):
        return int(self.cluster.psql("SELECT count(*) FROM orders", "-d", database))

    def cells(self, database="perennial"):
        return int(self.cluster.psql("SELECT count(*) FROM rollups", "-d", database))

    def said(self, database, orders):
        return f"{orders:,} orders and {self.cells(database):,} cells of rollups"

    def measure(self, bench):
        """Measures the milliseconds of each page over few orders and over many, in turn, each over one connection."""
        today = self.cluster.psql("SELECT current_date - 182")
        few, many = (self._server(name) for name in ("perennial", "many"))
        with few, many:
            for what, path in PAGES:
                with bench.step(f"charts: {what}", self.options.patience):
                    path, taken = path.format(half_a_year_ago=today), ([], [])
                    for number in range(self.options.rounds * 10 + 3):
                        for server, times in zip((few, many), taken):
                            milliseconds = self._get(server, path)
                            if number >= 3:
                                times.append(milliseconds)
                    bench.report.add_page(what, path, *taken)

    def _server(self, database):
        url = self.cluster.url.replace("dbname=perennial", f"dbname={database}")
        return perennial(self.options.product, self.cluster, self.log, "--without-worker", url=url)

    def _get(self, server, path):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.connect()
        began = time.perf_counter()
        connection.request("GET", path, headers={"Cookie": f"perennial={session_token(1)}"})
        response = connection.getresponse()
        response.read()
        took = (time.perf_counter() - began) * 1000
        connection.close()
        if response.status != 200:
            raise RuntimeError(f"{path} answers {response.status}")
        return took

    def _heard_as_it_happened(self):
        """Dates the records at their events, as if they had come on time, so that each day of the two years knows some."""
        self.cluster.psql("""
            SET session_replication_role = replica;
            UPDATE ledger_entries SET recorded_at = occurred_at;
            UPDATE subscription_events SET recorded_at = signed_at;
            UPDATE customers SET recorded_at = created_at""")
        self.cluster.psql("VACUUM ANALYZE")
        environment = {**os.environ, "PERENNIAL_DATABASE_URL": self.cluster.url, "PERENNIAL_STATE": self.directory}
        with open(self.log, "a") as log:
            children.run([self.options.product, "rollups", "rebuild"], env=environment, stdout=log, stderr=log)

    def _rates(self):
        """Inserts the same rate for every day but weekends: the rate itself does not matter here."""
        self.cluster.psql("""
            INSERT INTO exchange_rates (currency, day, per_euro)
            SELECT currency, day::date, 7.5
            FROM (SELECT DISTINCT currency FROM orders) AS c,
                generate_series(current_date - 1100, current_date, interval '1 day') AS day
            WHERE extract(isodow FROM day) < 6
            ON CONFLICT DO NOTHING""")

    def _rollups(self, times):
        """Copies the cells for all customers: a day's also count for copies that began some days sooner. Cohorts are of
        months."""
        self._many(f"""
            CREATE TEMPORARY TABLE monthly AS
            SELECT measure FROM rollups GROUP BY measure HAVING bool_and(extract(day FROM day) = 1);
            CREATE TEMPORARY TABLE cells AS
            SELECT app_id, measure, environment, day - d AS day, dimension, product_id, country, currency,
                recorded_on - d AS recorded_on, sum(amount) AS amount, sum(count) AS count
            FROM rollups, LATERAL (
                SELECT CASE WHEN measure IN (SELECT measure FROM monthly) THEN 0 ELSE {self.days} END AS d
                FROM generate_series(0, {times - 1}) AS n) AS lives
            GROUP BY app_id, measure, environment, rollups.day - d, dimension, product_id, country, currency,
                rollups.recorded_on - d;
            TRUNCATE rollups;
            INSERT INTO rollups (app_id, measure, environment, day, dimension, product_id, country, currency, recorded_on, amount, count)
            -- As they came about, which is how they lie where they grew by and by.
            SELECT * FROM cells ORDER BY recorded_on, day, measure;
            TRUNCATE rollup_months, rollup_days;
            INSERT INTO rollup_months
                (app_id, measure, environment, month, dimension, product_id, country, currency, recorded_month, amount, count)
            SELECT app_id, measure, environment, date_trunc('month', day) AS month, dimension, product_id, country, currency,
                date_trunc('month', recorded_on) AS recorded_month, sum(amount), sum(count)
            FROM rollups
            WHERE measure NOT IN ('order_by_hour', 'refund_by_hour')
            GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
            ORDER BY recorded_month, month, measure;
            SELECT convert_months(id, '-infinity', 'infinity') FROM apps;
            INSERT INTO rollup_days (app_id, measure, environment, day, dimension, store, currency, recorded_month, amount, count)
            SELECT r.app_id, measure, environment, day, dimension, coalesce(p.store, ''), currency,
                date_trunc('month', recorded_on) AS recorded_month, sum(amount), sum(count)
            FROM rollups r LEFT JOIN products p ON p.id = product_id
            WHERE measure NOT IN ('order_by_hour', 'refund_by_hour')
            GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
            ORDER BY recorded_month, day, measure;
            UPDATE rollup_entries SET amount = amount * {times}, count = count * {times}""")

    def _of_another(self, name, kind):
        if name in KEYS:
            return f"nth({name}, n)"
        if name in TEXTS:
            return f"{name} || '.' || n"
        if name == "event":
            # The event names its transaction as the other tables do.
            for member in "id", "originalID":
                name = f"jsonb_set({name}, '{{transaction,{member}}}', to_jsonb((event #>> '{{transaction,{member}}}') || '.' || n))"
            return name
        if kind == "timestamp with time zone":
            return f"{name} - ({self.days}) * interval '1 day'"
        return f"{name} - ({self.days})" if kind == "date" else name

    def _columns(self, table):
        lines = self.cluster.psql(f"""
            SELECT column_name || '|' || data_type FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name = '{table}' AND is_generated = 'NEVER' ORDER BY ordinal_position""")
        return dict(line.split("|") for line in lines.splitlines())

    def _drop_indexes(self):
        """Drops the indexes, which are faster to build at the end; returns the statements that make them again. Those of searches
        and the foreign keys are left out, for charts read neither."""
        tables = ", ".join(f"'{table}'::regclass" for table in self.tables)
        kept = self._many(f"""
            SELECT replace(indexdef, E'\\n', ' ') FROM pg_indexes
            WHERE (schemaname || '.' || tablename)::regclass IN ({tables}) AND indexdef !~ 'gin_trgm_ops'
                AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = indexname::regclass)""").splitlines()
        unique = self._many(f"""
            SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
            FROM pg_constraint WHERE conrelid IN ({tables}) AND contype IN ('p', 'u')""").splitlines()
        self._many(f"""
            DO $$ DECLARE gone text; BEGIN
                FOR gone IN
                    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname)
                    FROM pg_constraint WHERE conrelid IN ({tables}) AND contype IN ('p', 'u')
                    UNION ALL
                    SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index i
                    WHERE indrelid IN ({tables}) AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
                LOOP EXECUTE gone; END LOOP;
            END $$""")
        return unique + kept

    def _many(self, sql):
        return self.cluster.psql(sql, "-d", "many")
