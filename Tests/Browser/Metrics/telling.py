"""Reads every page, file and API answer with business figures, and keeps the values of each."""

import csv
import datetime
import io
import urllib.parse

from figures import FILTERS, number, periods, usual

# Reads the texts of a page's cards, charts, badges and tables, with their links.
READ = """markup => {
    const page = new DOMParser().parseFromString(markup, "text/html");
    const text = element => element ? element.textContent.replace(/\\s+/g, " ").trim() : null;
    const cell = element => ({ text: text(element), small: text(element.querySelector("small")),
        href: element.querySelector("a")?.getAttribute("href") ?? null });
    const table = element => element && ({
        heads: [...element.tHead?.rows[0].cells ?? []].map(text),
        rows: [...element.tBodies[0].rows].map(row => [...row.cells].map(cell)),
        sums: [...element.tFoot?.rows ?? []].map(row => [...row.cells].map(cell)),
    });
    return {
        ignored: [...page.querySelectorAll(".ignored")].map(text),
        range: text(page.querySelector("main [role=status]")),
        cards: Object.fromEntries([...page.querySelectorAll(".cards .card")].map(card =>
            [text(card.querySelector(".label")), { value: text(card.querySelector(".value")), note: text(card.querySelector(".delta")) }])),
        badges: Object.fromEntries([...page.querySelectorAll(".sidebar a:has(.count)")].map(link =>
            [link.getAttribute("href"), text(link.querySelector(".count"))])),
        tasks: Object.fromEntries([...page.querySelectorAll("main ol.timeline a")].map(link => [link.getAttribute("href"), text(link)])),
        charts: Object.fromEntries([...page.querySelectorAll("figure.chart")].map(chart => [chart.getAttribute("aria-labelledby"), {
            title: text(chart.querySelector("h2")), finding: text(chart.querySelector(".find")),
            table: table(chart.querySelector("table")),
            points: [...chart.querySelectorAll("svg .period")].map(point =>
                ({ href: point.getAttribute("href"), said: point.getAttribute("aria-label") })) }])),
        sums: table(page.querySelector("#sums")),
        list: table(page.querySelector("main table.list:not(#sums)")),
    };
}"""

SHOWN = {"net": "net revenue", "gross": "gross revenue", "refunds": "refunds", "proceeds": "proceeds"}
LEDGER = {"Gross revenue": "gross revenue", "Refunds": "refunds", "Upgrade credits": "upgrade credits", "Net revenue": "net revenue", "Proceeds (estimated)": "proceeds"}
MOVEMENTS = {"New": "new", "Reactivation": "reactivation", "Expansion": "expansion", "Contraction": "contraction", "Churn": "churned",
             "Moved between products": "moved", "Net change": "net change"}
ACCESS = {"First access": "first access", "Access regained": "access regained", "Access lost": "access lost",
          "Plan changed": "plan changed", "Net change": "net change of access"}
STEPS = {"Started": "trials", "Converted": "converted", "In trial": "pending", "Not converted": "abandoned"}


class Telling:
    """A look at all figures, for one filter and one range of days.

    - page: a window of a person who sees metrics.
    - api: calls the JSON API.
    - filter: as in an address; with `from` and `to` where the periods are not the usual ones.
    """

    def __init__(self, figures, page, api, filter, grain="month"):
        self.figures, self.page, self.api, self.grain = figures, page, api, grain
        self.query = filter
        self.filter = {name: value for name, value in filter.items() if name in FILTERS}
        self.known = min(figures.today, datetime.date.fromisoformat(filter.get("as_of") or "9999-12-31"))
        self.stretch = (day(filter["from"]), day(filter["to"])) if "from" in filter else None
        self.periods = periods(grain, *self.stretch) if self.stretch else usual(grain, self.known)
        # Cohorts are whole months.
        self.months = self.whole_months() if self.stretch else usual("month", self.known)
        self.span = (self.periods[0][0], self.periods[-1][1])
        # Customers are counted whatever they bought.
        self.everybody = {name: self.filter[name] for name in ("environment", "as_of") if name in self.filter}

    def whole_months(self):
        first, last = self.stretch
        return periods("month", first.replace(day=1), usual("month", last)[-1][1])

    # Pages

    def revenue(self, show="net", by="plan"):
        """Reads the page of revenue: its charts, and its files."""
        read, place = self.read("/dashboard/revenue", show=show, by=by, grain=self.grain)
        if not read["charts"]:
            return
        metric = SHOWN[show]
        self.chart(place, read, "revenue", lambda column, cell: (metric, self.filter) if column == 0 else None)
        self.chart(place, read, "divided", lambda column, cell: (metric, self.part(cell["href"])) if cell["href"] else None)
        whole = len(read["charts"]["divided"]["table"]["heads"]) - 2
        self.chart(place, read, "divided", lambda column, cell: (metric, self.filter) if column == whole else None, sums=True)
        self.chart(place, read, "refunds-made", lambda column, cell: ("refunds", self.filter), sums=True)
        self.chart(place, read, "refunds-of-charges", lambda column, cell: ("refunds of the charges", self.filter), sums=True)
        for chart, name in (("refunds-made", "refund rate"), ("refunds-of-charges", "refund rate of the charges")):
            self.tell(f"{place}, {chart}", name, self.span, number(read["charts"][chart]["finding"]), "%")
        for table in ("periods", "parts"):
            place, rows = self.file("/dashboard/revenue/table.csv", table=table, by=by, grain=self.grain)
            for row in rows:
                filter = self.filter | ({by: row["part"] or "-"} if table == "parts" else {})
                for name, metric in (("gross", "gross revenue"), ("refunds", "refunds"), ("net", "net revenue"), ("proceeds_estimate", "proceeds"),
                                     ("refunds_of_charges", "refunds of the charges"), ("upgrade_credits", "upgrade credits")):
                    self.figures.tell(place, metric, of(row), filter, row[name])
                self.figures.tell(place, "orders", of(row), filter, int(row["charges"]) + int(row["free_orders"]), "number")

    def ledger(self, stretches):
        """Reads the sums of the ledger's rows in some ranges of days, in all and by currency."""
        for first, last in stretches:
            read, place = self.read("/dashboard/ledger", **{"from": first, "to": last})
            table = read["sums"]
            if not table:
                continue
            is_one = not any(row[0]["text"].startswith("Total in") for row in table["rows"])
            for row in table["rows"]:
                name = row[0]["text"]
                is_whole = name.startswith("Total in") or "currency" in self.filter or is_one and name == self.figures.currency
                filter = self.filter if is_whole else self.filter | {"currency": name}
                for head, cell in zip(table["heads"][1:], row[1:]):
                    self.figures.tell(place, LEDGER[head], (first, last), filter, number(cell["text"]))

    def subscribers(self):
        read, place = self.read("/dashboard/subscribers", grain=self.grain)
        self.chart(place, read, "mrr", lambda column, cell: ("monthly recurring revenue", self.filter))
        self.chart(place, read, "active", lambda column, cell: ("subscribers", self.filter), unit="number")
        for chart, unit in (("movements", "money"), ("changes", "number")):
            names = [MOVEMENTS[head] for head in read["charts"][chart]["table"]["heads"][1:]]
            self.chart(place, read, chart, lambda column, cell: (names[column], self.filter), unit=unit, sums=True)
        self.chart(place, read, "churn", lambda column, cell: ("churn rate", self.filter), unit="%")
        for row in read["charts"]["trials"]["table"]["rows"]:
            self.tell(place, STEPS[row[0]["text"]], self.span, number(row[1]["text"]), "number")
        for table in ("mrr", "subscribers", "trials"):
            place, rows = self.file("/dashboard/subscribers/table.csv", table=table, grain=self.grain)
            for row in rows:
                if table == "mrr":
                    self.tell(place, "monthly recurring revenue", of(row), row["end"])
                if table == "subscribers":
                    self.tell(place, "subscribers", of(row), row["end"], "number")
                    self.tell(place, "churn rate", of(row), row["churn_rate"] or None, "%")
                for name in set(MOVEMENTS.values()) & row.keys():
                    self.tell(place, name, of(row), row[name], "money" if table == "mrr" else "number")
            if table == "trials":
                for name in STEPS.values():
                    self.tell(place, name, self.span, sum(int(row[name]) for row in rows), "number")

    def cohorts(self):
        read, place = self.read("/dashboard/cohorts")
        for chart, metric in (("arpu", "revenue per customer"), ("arppu", "revenue per payer"), ("ltv", "lifetime value per customer"),
                              ("ltv-payers", "lifetime value per payer")):
            self.chart(place, read, chart, lambda column, cell: (metric, self.filter), of=self.months)
        months = {month[0].strftime("%b %Y"): month for month in self.months}
        for chart in ("retention", "conversion"):
            table = read["charts"][chart]["table"]
            filter = self.filter | ({"period": self.filter.get("period", "P1M")} if chart == "retention" else {})
            for row in table["rows"] if table else []:
                month = months[row[0]["text"]]
                if chart == "conversion":
                    self.figures.tell(place, "customers first seen", month, self.everybody, number(row[1]["text"]), "number")
                else:
                    self.figures.tell(place, "subscriptions started", month, filter, number(row[1]["text"]), "number")
                for head, cell in zip(table["heads"][2:], row[2:]):
                    self.figures.tell(place, f"{chart}, {head}", month, filter, number(cell["text"]), "%")
                    self.figures.tell(place, f"{chart}, {head}", month, filter, number(cell["small"]), "number")
        for table in ("retention", "conversion"):
            place, rows = self.file("/dashboard/cohorts/table.csv", table=table)
            filter = self.filter | ({"period": self.filter.get("period", "P1M")} if table == "retention" else {})
            for row in rows:
                month = (day(row["cohort_from"]), day(row["cohort_to"]))
                step = row["period"] if table == "retention" else within(row["within_days"])
                self.figures.tell(place, f"{table}, {step}", month, filter, row["share_percent"] or None, "%")
                self.figures.tell(place, f"{table}, {step}", month, filter, row["paid"], "number")
        place, rows = self.file("/dashboard/cohorts/table.csv", table="arpu")
        for row in rows:
            self.tell(place, "net revenue", of(row), row["net"])
            self.figures.tell(place, "customers", of(row), self.everybody, row["customers"], "number")
            self.tell(place, "payers", of(row), row["payers"], "number")
            self.tell(place, "revenue per customer", of(row), row["arpu"] or None)
            self.tell(place, "revenue per payer", of(row), row["arppu"] or None)
        place, rows = self.file("/dashboard/cohorts/table.csv", table="ltv")
        for row in rows:
            month = (day(row["cohort_from"]), day(row["cohort_to"]))
            self.figures.tell(place, "customers first seen", month, self.everybody, row["customers"], "number")
            self.tell(place, "net revenue of the cohort", month, row["net"])
            self.tell(place, "lifetime value per customer", month, row["per_customer"] or None)
            self.tell(place, "lifetime value per payer", month, row["per_payer"] or None)

    def access(self):
        """Reads the page of access, whose chart is always by month."""
        read, place = self.read("/dashboard/access")
        own = periods("month", *self.stretch) if self.stretch else self.months
        names = [ACCESS[head] for head in read["charts"]["access-changes"]["table"]["heads"][1:]]
        self.chart(place, read, "access-changes", lambda column, cell: (names[column], self.filter), unit="number", of=own, sums=True)
        if self.stretch and read["sums"]:
            for row in read["sums"]["rows"]:
                self.tell(f"{place}, sums", ACCESS[row[0]["text"]], self.stretch, number(row[1]["text"]), "number")
        place, rows = self.file("/dashboard/access/table.csv")
        for row in rows:
            self.tell_access(place, of(row), row)

    def usage(self):
        """Reads the usage of all customers, whatever they bought; by day unless there is a range of days."""
        grain = self.grain if self.stretch else "day"
        stretch = {"from": self.stretch[0], "to": self.stretch[1]} if self.stretch else {}
        own = periods(grain, *self.stretch) if self.stretch else usual("day", self.figures.today)
        read, place = self.read("/dashboard/usage", grain=grain, **stretch)
        if read["charts"]:
            self.usage_chart(place, read, own)
            for feature in {asked(cell["href"])["feature"] for row in read["charts"]["usage"]["table"]["rows"] for cell in row if "feature" in asked(cell["href"])}:
                one, where = self.read("/dashboard/usage", grain=grain, feature=feature, **stretch)
                self.chart(where, one, "usage", lambda column, cell: (f"usage of {feature}", {}) if column == 0 else None, unit="number", of=own, sums=True)
        place, rows = self.file("/dashboard/usage/table.csv", grain=grain, **stretch)
        for row in rows:
            self.figures.tell(place, f"usage of {row['feature']}", of(row), {}, row["units"], "number")
            self.figures.tell(place, f"usage of {row['feature']} offline", of(row), {}, row["offline"], "number")
        first, last = own[0][0], own[-1][1]
        for row in self.api("metrics/usage", grain=grain, **{"from": str(first), "to": str(last)})["rows"]:
            self.figures.tell("GET /admin/metrics/usage", f"usage of {row['feature']}", of(row), {}, row["units"], "number")
            self.figures.tell("GET /admin/metrics/usage", f"usage of {row['feature']} offline", of(row), {}, row["offline"], "number")

    def usage_chart(self, place, read, own):
        """Reads the chart of usage, where a feature's columns lead to the feature alone."""
        def named(column, cell):
            feature = asked(cell["href"]).get("feature")
            return (f"usage of {feature}", {}) if feature else None
        self.chart(place, read, "usage", named, unit="number", of=own)

    def overview(self):
        """Reads the overview, the badges beside every page, and the lists that they count; its chart has the usual months."""
        today, ever = (self.figures.today, self.figures.today), (datetime.date(2000, 1, 1), self.figures.today)
        read, place = self.read("/dashboard")
        cards = read["cards"]
        self.tell(place, "orders", today, number(cards["Orders today"]["value"]), "number")
        self.tell(place, "gross revenue", today, number(cards["Revenue today"]["value"]))
        self.tell(place, "gross revenue", ever, number(cards["Total revenue"]["value"]))
        self.tell(place, "refunds", ever, number(cards["Total revenue"]["note"]))
        self.tell(place, "pending refunds", ever, number(cards["Pending refunds"]["value"]), "number")
        self.tell(place, "refund rate", ever, number(cards["Refund rate"]["value"]), "%")
        month = (today[0] - datetime.timedelta(days=28), today[0] - datetime.timedelta(days=1))
        self.tell(place, "refund rate", month, number(cards["Refund rate"]["note"]), "%")
        self.tell(place, "monthly recurring revenue", today, number(cards["Monthly recurring revenue"]["value"]))
        self.tell(place, "subscribers", today, number(cards["Subscribers"]["value"]), "number")
        self.tell(place, "active trials", today, number(cards["Active trials"]["value"]), "number")
        self.chart(place, read, "revenue", lambda column, cell: ("net revenue", {}) if column == 0 else None, of=self.months)
        for row in read["charts"]["plans"]["table"]["rows"]:
            if row[0]["href"]:
                self.figures.tell(place, "gross revenue", (self.months[0][0], self.months[-1][1]), self.part(row[0]["href"]), number(row[1]["text"]))
        for row in read["charts"]["holders"]["table"]["rows"]:
            name = "active trials" if row[0]["text"] == "In trial" else f"customers who may use {row[0]['text']}"
            self.tell(f"{place}, customers by plan", name, today, number(row[1]["text"]), "number")
        if read["charts"]["usage"]["table"]:
            self.usage_chart(place, read, periods("day", self.figures.today - datetime.timedelta(days=13), self.figures.today))
        customers, rate = read["charts"]["holders"]["finding"].split(" customers", 1)
        self.tell(place, "customers", today, number(customers), "number")
        self.tell(place, "conversion of all customers", today, number(rate), "%")
        waiting = {"pending refunds": "/dashboard/refunds", "failed notifications": "/dashboard/notifications"}
        for metric, path in waiting.items():
            href = path + ("?state=failed" if path.endswith("notifications") else "")
            self.tell("the badge of the navigation", metric, ever, number(read["badges"].get(path, "0")), "number")
            self.tell(f"{place}, tasks", metric, ever, number(read["tasks"].get(href, "0")), "number")
            listed, where = self.read(href)
            self.tell(where, metric, ever, length(listed), "number")
        listed, where = self.read("/dashboard/customers")
        self.tell(where, "customers", today, length(listed), "number")
        self.queues(ever)
        self.health(ever)

    def queues(self, ever):
        read, place = self.read("/dashboard/queues")
        states = ("discarded", "retryable", "available", "running", "scheduled")
        for row in read["list"]["rows"]:
            queue = row[0]["href"].rsplit("/", 1)[1]
            for state, cell in zip(states, row[1:]):
                self.tell(place, f"{state} of {queue}", ever, number(cell["text"]), "number")
                if cell["href"]:
                    listed, where = self.read(cell["href"])
                    self.tell(where, f"{state} of {queue}", ever, length(listed), "number")
        for queue in self.api("queues")["queues"]:
            for state in states:
                self.tell("GET /admin/queues", f"{state} of {queue['name']}", ever, queue[state], "number")

    def health(self, ever):
        for metric in self.api("metrics/health")["metrics"]:
            if metric["metric"] == "failedNotifications":
                self.tell("GET /admin/metrics/health", "failed notifications", ever, metric["value"], "number")

    # The API

    def answers(self):
        money = {} if "currency" in self.filter else {"in": self.figures.currency}
        grain = {"grain": self.grain}
        for by in (None, "plan", "store", "country", "product"):
            for row in self.ask("revenue", **grain, **money, **({"by": by} if by else {})):
                filter = self.filter | ({by: row["part"] or "-"} if by else {})
                place = f"GET /admin/metrics/revenue by {by}"
                for name, metric in (("gross", "gross revenue"), ("refunds", "refunds"), ("net", "net revenue"), ("proceeds", "proceeds"),
                                     ("refundsOfCharges", "refunds of the charges"), ("upgradeCredits", "upgrade credits")):
                    self.figures.tell(place, metric, of(row), filter, row[name])
                self.figures.tell(place, "orders", of(row), filter, row["charges"] + row["freeOrders"], "number")
        self.rates(money)
        for row in self.ask("mrr", **grain, **money):
            self.tell("GET /admin/metrics/mrr", "monthly recurring revenue", of(row), row["end"])
            self.tell("GET /admin/metrics/mrr", "net change", of(row), round(row["end"] - row["start"], 3))
            for name in set(MOVEMENTS.values()) & row.keys():
                self.tell("GET /admin/metrics/mrr", name, of(row), row[name])
        place, rows = "GET /admin/metrics/subscribers", self.ask("subscribers", **grain)
        assert [of(row) for row in rows] == self.periods
        for row in rows:
            for name, value in (("subscribers", row["end"]), ("new", row["new"]), ("reactivation", row["reactivated"]), ("moved", row["moved"]),
                                ("churned", -row["ended"]), ("net change", row["end"] - row["start"])):
                self.tell(place, name, of(row), value, "number")
            self.tell(place, "churn rate", of(row), row["churnRate"], "%")
        rows = self.ask("trials", **grain)
        for name in STEPS.values():
            self.tell("GET /admin/metrics/trials", name, self.span, sum(row[name] for row in rows), "number")
        rows = self.ask("access")
        for row in rows:
            self.tell_access("GET /admin/metrics/access", of(row), row)
        if self.stretch:
            sums = {name: sum(row[name] for row in rows) for name in ("gained", "regained", "lost", "raised", "lowered")}
            self.tell_access("GET /admin/metrics/access, all of it", self.stretch, sums)
        self.cohort_answers(money)

    def rates(self, money):
        """Computes the refund rate of the whole range from the API's sums by period."""
        rows = self.ask("revenue", grain=self.grain, **money)
        charges, refunded = (sum(row[name] for row in rows) for name in ("charges", "refundedCharges"))
        if charges:
            self.tell("GET /admin/metrics/revenue", "refund rate of the charges", self.span, percent(refunded, charges), "%")

    def cohort_answers(self, money):
        for row in self.ask("retention"):
            filter = self.filter | {"period": self.filter.get("period", "P1M")}
            self.figures.tell("GET /admin/metrics/retention", "subscriptions started", of(row), filter, row["subscriptions"], "number")
            for step, period in enumerate(row["periods"], 1):
                self.figures.tell("GET /admin/metrics/retention", f"retention, {step}", of(row), filter, period["share"], "%")
                self.figures.tell("GET /admin/metrics/retention", f"retention, {step}", of(row), filter, period["paid"], "number")
        for row in self.ask("conversion"):
            place = "GET /admin/metrics/conversion"
            self.figures.tell(place, "customers first seen", of(row), self.everybody, row["customers"], "number")
            for step in row["steps"]:
                self.tell(place, f"conversion, {within(step['days'])}", of(row), step["share"], "%")
                self.tell(place, f"conversion, {within(step['days'])}", of(row), step["paid"], "number")
        for row in self.ask("arpu", **({"in": self.figures.currency} if money else {"in": self.filter["currency"]})):
            place = "GET /admin/metrics/arpu"
            self.tell(place, "net revenue", of(row), row["net"])
            self.figures.tell(place, "customers", of(row), self.everybody, row["customers"], "number")
            self.tell(place, "payers", of(row), row["payers"], "number")
            self.tell(place, "revenue per customer", of(row), row["arpu"])
            self.tell(place, "revenue per payer", of(row), row["arppu"])
        for row in self.ask("ltv", **({"in": self.figures.currency} if money else {"in": self.filter["currency"]})):
            place = "GET /admin/metrics/ltv"
            self.tell(place, "net revenue of the cohort", of(row), row["net"])
            self.tell(place, "lifetime value per customer", of(row), row["perCustomer"])
            self.tell(place, "lifetime value per payer", of(row), row["perPayer"])

    def statistics(self):
        """Reads the documents' own statistics of the whole app."""
        today, ever = (self.figures.today, self.figures.today), (datetime.date(2000, 1, 1), self.figures.today)
        place, answer = "GET /admin/orders/stats", self.api("orders/stats")
        for metric, days, value, unit in (
                ("orders", ever, "totalOrders", "number"), ("gross revenue", ever, "totalRevenue", "money"), ("orders", today, "todayOrders", "number"),
                ("gross revenue", today, "todayRevenue", "money"), ("pending refunds", ever, "pendingRefunds", "number"),
                ("refunds", ever, "totalRefunded", "money"), ("refund rate", ever, "refundRate", "%")):
            self.tell(place, metric, days, answer[value], unit)
        months = {f"{month[0]:%Y-%m}": month for month in usual("month", today[0])}
        for row in self.api("support/stats")["revenueTrends"]:
            self.tell("GET /admin/support/stats", "net revenue", months[row["date"]], row["revenue"])
        place, answer = "GET /admin/subscriptions/stats/overview", self.api("subscriptions/stats/overview")
        self.tell(place, "customers", today, answer["totalUsers"], "number")
        self.tell(place, "active trials", today, answer["trialUsers"], "number")
        self.tell(place, "subscribers", today, answer["activeSubscribers"], "number")
        self.tell(place, "conversion of all customers", today, answer["conversionRate"], "%")
        for plan in answer["plans"]:
            self.tell(place, f"customers who may use {plan['plan']}", today, plan["users"], "number")

    # Reading

    def tell(self, place, metric, days, value, unit="money"):
        self.figures.tell(place, metric, days, self.filter, value, unit)

    def tell_access(self, place, days, row):
        row = {name: int(row[name]) for name in ("gained", "regained", "lost", "raised", "lowered")}
        for name, value in (("first access", row["gained"]), ("access regained", row["regained"]), ("access lost", -row["lost"]),
                            ("plan changed", row["raised"] + row["lowered"]),
                            ("net change of access", row["gained"] + row["regained"] - row["lost"])):
            self.tell(place, name, days, value, "number")

    def chart(self, place, read, id, named, unit="money", of=None, sums=False):
        """Reads the columns of a chart's table, and its points' values of them.

        - named: returns the metric and the filter of a column's number and cell; None for any other column.
        - of: its periods.
        - sums: True if the table has a total of all of them.
        """
        chart, own = read["charts"][id], of or self.periods
        if not chart["table"]:
            return
        place = f"{place}, {chart['title']}"
        heads, rows = chart["table"]["heads"][1:], chart["table"]["rows"]
        assert len(rows) == len(chart["points"]) == len(own), f"{place}: {len(rows)} rows and {len(chart['points'])} points of {len(own)} periods"
        for period, point, row in zip(own, chart["points"], rows):
            query = asked(point["href"])
            if "from" in query:
                assert (query["from"], query["to"]) == tuple(map(str, period)), f"{place}: {row[0]['text']} leads to {point['href']}"
            said = dict(piece.rsplit(": ", 1) for piece in point["said"].split(": ", 1)[1].split(" · ") if ": " in piece)
            for column, (head, cell) in enumerate(zip(heads, row[1:])):
                if found := named(column, cell):
                    self.figures.tell(f"{place}, table", found[0], period, found[1], number(cell["text"]), unit)
                    self.figures.tell(f"{place}, drawing", found[0], period, found[1], number(said.get(head)), unit)
        for row in chart["table"]["sums"] if sums else []:
            for column, cell in enumerate(row[1:]):
                if row[0]["text"] == "Total" and (found := named(column, cell)):
                    self.figures.tell(f"{place}, total", found[0], (own[0][0], own[-1][1]), found[1], number(cell["text"]), unit)

    def part(self, href):
        return {name: value for name, value in asked(href).items() if name in FILTERS}

    def read(self, path, **query):
        """Reads a page; returns its contents and its address. The tables of many periods are on a page of their own."""
        address = self.address(path, query)
        answer = self.page.request.get(address)
        assert answer.status == 200, address
        read = self.page.evaluate(READ, answer.text())
        assert not read["ignored"], f"{address}: {read['ignored']}"
        if any(chart["points"] and not chart["table"] for chart in read["charts"].values()):
            tables, _ = self.read(path, **query, tables="yes")
            for name, chart in read["charts"].items():
                chart["table"] = tables["charts"][name]["table"]
        return read, address

    def file(self, path, **query):
        """Reads a file; returns its address and its rows."""
        address = self.address(path, query)
        answer = self.page.request.get(address)
        assert answer.status == 200, address
        return address, list(csv.DictReader(io.StringIO(answer.body().decode("utf-8-sig"))))

    def address(self, path, query):
        path, _, own = path.partition("?")
        takes = dict(self.query) if path.split("/")[2:3] and path.split("/")[2] in ("revenue", "subscribers", "cohorts", "access", "ledger") else {}
        query = takes | dict(urllib.parse.parse_qsl(own)) | {name: str(value) for name, value in query.items()}
        return path + ("?" + urllib.parse.urlencode(query) if query else "")

    def ask(self, metric, **query):
        names = {"as_of": "asOf"}
        own = {names.get(name, name): value.upper() if name == "store" else value for name, value in self.query.items()}
        if own.get("country") == "-":
            own["country"] = ""
        return self.api(f"metrics/{metric}", **own, **query)["rows"]


def day(text):
    return datetime.date.fromisoformat(text)


def of(row):
    return day(row["from"]), day(row["to"])


def asked(href):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(href or "").query))


def length(read):
    """Returns the number of all rows of a list."""
    return number(read["range"].split(" of ")[-1]) if read["range"] and read["range"][0].isdigit() else 0


def within(days):
    return "Ever" if days in (None, "") else f"{days} days"


def percent(part, whole):
    return (200 * 100 * part + whole) // (2 * whole) / 100
