"""Checks the entries of customers against the metrics: their sums are equal, cell by cell and by the day of recording."""

KEPT = ("mrr", "subscriber", "lost", "trial", "trial_converted", "trial_abandoned", "started", "retained", "holder", "seen",
        "converted", "paying")
CELL = "app_id, measure, day, dimension, product_id, country, currency, recorded_on"


def unexplained(installation):
    """Returns the cells of the metrics whose rows have another sum, as text."""
    metrics = " UNION ALL ".join(
        f"SELECT {CELL}, amount, count FROM {table} WHERE environment = 'production'" for table in ("rollups", "rollup_entries"))

    def summed(rows):
        return (f"SELECT {CELL}, sum(amount), sum(count) FROM ({rows}) parts WHERE measure IN {KEPT} GROUP BY {CELL}"
                " HAVING sum(amount) <> 0 OR sum(count) <> 0")

    rows = f"SELECT {CELL}, amount, count FROM subscriber_entries"
    return installation.sql(f"""
        SELECT found::text FROM (
            ({summed(metrics)} EXCEPT {summed(rows)}) UNION ALL ({summed(rows)} EXCEPT {summed(metrics)})) found""")


def measures(installation):
    return set(installation.sql("SELECT DISTINCT measure FROM subscriber_entries"))
