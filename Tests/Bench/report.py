"""The measured figures beside their targets; and the missing ones, with the reasons."""
import statistics


def median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def number(value, digits=None):
    if value is None:
        return ""
    if digits is None and isinstance(value, int):
        digits = 0
    if digits is None:
        digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def least(limit):
    return lambda value: value >= limit


def most(limit):
    return lambda value: value <= limit


class Report:
    """Figures by name. A cell has a result for each round in which it was measured; where one is missing, derived figures come from
    the other rounds, and are left out where there are none."""

    def __init__(self):
        self.metrics, self.cells, self.pieces, self.searches, self.exports, self.pages = [], {}, [], [], {}, []
        # The figures that could not be measured, each once with its reason.
        self.holes = []

    @property
    def is_empty(self):
        return not (self.cells or self.pieces or self.searches or self.exports or self.pages)

    def hole(self, what, why):
        """Notes that something could not be measured; `why` is one line."""
        why = " ".join(str(why).split())[:400] or "no reason was given"
        if (what, why) not in self.holes:
            self.holes.append((what, why))
            print(f"  not taken: {what}: {why}", flush=True)

    def add(self, name, result, turn):
        """Adds one round's result of a cell."""
        self.cells.setdefault(name, {})[turn] = result
        print("  {:<44} {:>9} /s  p50 {:>6} p99 {:>6} ms  cpu srv {:>6} pg {:>6} ms".format(
            name, *(number(result.get(field)) for field in ("rate", "p50", "p99", "srv", "pg"))), flush=True)

    def add_find(self, what, example, milliseconds, scanned):
        """Adds the searches of one kind, and the big tables that they read from end to end."""
        points = [percentile(milliseconds, share) for share in (0.5, 0.95, 0.99)]
        self.searches.append((what, example, points, scanned))
        print("  {:<32} p50 {:>7} p95 {:>7} p99 {:>7} ms  {}".format(
            what, *(number(point) for point in points), " ".join(scanned)), flush=True)

    def add_page(self, what, path, few, many):
        """Adds the milliseconds of a page over few orders and over many."""
        points = [statistics.median(few), statistics.median(many), percentile(many, 0.95)]
        self.pages.append((what, path, points))
        print("  {:<42} few {:>7} many {:>7} ms  p95 {:>7} ms".format(what, *(number(point) for point in points)), flush=True)

    def add_export(self, name, result, turn):
        self.exports.setdefault(name, {})[turn] = result
        print("  {:<12} {:>9} rows/s  {:>6} s  {:>6} MB  cpu srv {:>5} pg {:>5} s  memory {:>5} MB".format(name, *(
            number(result.get(field)) for field in ("rate", "seconds", "megabytes", "server", "postgres", "memory"))), flush=True)

    def export_ratio(self, over, under):
        return median(ratios(self.exports.get(over, {}), [self.exports.get(under, {})]))

    def export_memory(self, name):
        return max((result["memory"] for result in self.exports.get(name, {}).values()), default=None)

    def worst_growth(self):
        return max((many / few for *_, (few, many, _) in self.pages), default=None)

    def slowest_page(self):
        return max((points[2] for *_, points in self.pages), default=None)

    def slowest_find(self):
        return max((points[1] for _, _, points, _ in self.searches), default=None)

    def scanned_tables(self):
        """The number of big tables that were read from end to end; None when nothing was searched for."""
        return len({table for *_, scanned in self.searches for table in scanned}) if self.searches else None

    def ratio(self, over, under):
        """Returns the median of the rounds' own ratios; the best rival is chosen in each round."""
        rivals = [under] if isinstance(under, str) else under
        return median(ratios(self.cells.get(over, {}), [self.cells.get(name, {}) for name in rivals]))

    def median(self, name, field="rate"):
        return median([result.get(field) for result in self.cells.get(name, {}).values()])

    def most(self, name, field):
        return max((result[field] for result in self.cells.get(name, {}).values() if result.get(field) is not None), default=None)

    def piece(self, name):
        return next((piece["value"] for piece in self.pieces if piece["name"] == name), None)

    def metric(self, what, target, reached, met=None, unit=""):
        """Adds a metric; `reached` is None if it could not be measured, `met` is None if it has no target."""
        self.metrics.append((what, target, "not taken" if reached is None else f"{number(reached)}{unit}",
                             None if reached is None or met is None else bool(met(reached))))

    def print(self):
        for what, target, reached, met in self.metrics:
            print(f"{what}: {reached}{f' (target {target})' if target else ''} "
                  f"{'' if met is None else 'met' if met else 'NOT REACHED'}".rstrip())
        if self.holes:
            print("==> Not taken, and why")
        for what, why in self.holes:
            print(f"  {what}: {why}")


def ratios(over, under):
    """Returns the ratio of each round in which both sides were measured: `over` divided by the best of `under`."""
    rounds = [(mine, [cell[turn] for cell in under if turn in cell]) for turn, mine in over.items()]
    return [mine["rate"] / max(rival["rate"] for rival in rivals) for mine, rivals in rounds if rivals]
