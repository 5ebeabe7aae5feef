"""A small ledger of odd cases at odd moments: what months, leap days, clocks, refunds and currencies can do to a figure."""

import datetime
import random
import zoneinfo

from history import COUNTRIES, PRODUCTS, History, Order

# Fourteen hours ahead of UTC, eleven behind it, half an hour of daylight saving, and a whole one; currencies of no, two and three digits.
ODD_APPS = {
    "kiritimati": ("Pacific/Kiritimati", "JPY"),
    "pago-pago": ("Pacific/Pago_Pago", "KWD"),
    "lord-howe": ("Australia/Lord_Howe", "TRY"),
    "new-york": ("America/New_York", "USD"),
}
# Ends of months, a leap day, the year that begins in the week of the year before, and hours that a clock skips or shows twice.
MOMENTS = [
    (2024, 1, 31, 23, 59, 59), (2024, 2, 1, 0, 0, 0), (2024, 2, 28, 23, 59, 59), (2024, 2, 29, 0, 0, 0), (2024, 2, 29, 23, 59, 59),
    (2024, 3, 1, 0, 0, 0), (2024, 3, 10, 1, 59, 59), (2024, 3, 10, 3, 0, 0), (2024, 4, 7, 1, 45, 0), (2024, 10, 6, 2, 30, 0),
    (2024, 11, 3, 1, 30, 0), (2024, 12, 29, 23, 59, 59), (2024, 12, 30, 0, 0, 0), (2025, 1, 1, 0, 0, 0), (2025, 2, 28, 23, 59, 59),
    (2025, 3, 1, 0, 0, 0), (2025, 5, 31, 12, 0, 0),
]
# In minutes: of today and of the days before.
AGO = [5, 70, 200, 500, 900, 1_500, 3_000, 20_000]
DAY = datetime.timedelta(days=1)


class OddHistory(History):
    """Every fate of a charge at every odd moment, in every app, each of another product, currency and country."""

    def __init__(self):
        self.fates = [
            self.nothing, self.all_back_next_month, self.parts_in_two_months, self.back_and_kept, self.less_than_was_said,
            self.taken_back_and_back_again, self.paid_back_elsewhere, self.paid_back_twice, self.upgraded, self.refunded_and_upgraded,
            self.free, self.a_test, self.told_late, self.never_was]
        super().__init__(events=1, seed=7)
        # Three customers of each app only look; each of them comes at an end of a month.
        self.free = {app: {f"{app}-free-{number}": self._at(app, MOMENTS[number * 2]) for number in range(3)} for app in ODD_APPS}

    def _life(self):
        """Makes the whole history at once."""
        number = 0
        for app in ODD_APPS:
            for place, moment in enumerate(MOMENTS):
                for fold in (0, 1):
                    for fate in self.fates[place % 2::2]:
                        self._sale(app, number, self._at(app, moment, fold), fate)
                        number += 1
            for minutes in AGO:
                for fate in (self.nothing, self.free, self.a_test):
                    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
                    self._sale(app, number, now - datetime.timedelta(minutes=minutes), fate)
                    number += 1

    def _at(self, app, moment, fold=0):
        zone = zoneinfo.ZoneInfo(ODD_APPS[app][0])
        return datetime.datetime(*moment, tzinfo=zone, fold=fold).astimezone(datetime.timezone.utc)

    def _sale(self, app, number, moment, fate):
        pick = random.Random(number)
        product = pick.choice(PRODUCTS)
        currency = pick.choice(list(product[4]))
        self.subscriptions += 1
        order = Order(app, self.subscriptions, product, currency, pick.choice(COUNTRIES[currency]), "production",
                      product[4][currency], moment, "initial_purchase")
        # Some are of a later year of service.
        order.paid_days = 400 if number % 5 == 0 else 0
        self.orders.append(order)
        fate(order, moment)

    def _charge(self, order, recorded):
        self._enter(order, order.kind, order.amount, order.purchased, recorded, "charge")

    def nothing(self, order, moment):
        self._charge(order, moment)

    def all_back_next_month(self, order, moment):
        self._charge(order, moment)
        self._enter(order, "refund", -order.amount, moment + 31 * DAY, moment + 31 * DAY, "refund:1")

    def parts_in_two_months(self, order, moment):
        self._charge(order, moment)
        part = order.amount // 3
        self._enter(order, "refund", -part, moment + 20 * DAY, moment + 21 * DAY, "refund:1")
        self._enter(order, "refund", part - order.amount, moment + 50 * DAY, moment + 51 * DAY, "refund:2")

    def back_and_kept(self, order, moment):
        self._charge(order, moment)
        self._enter(order, "refund", -order.amount, moment + 3 * DAY, moment + 3 * DAY, "refund:1")
        self._enter(order, "refund_reversal", order.amount, moment + 40 * DAY, moment + 40 * DAY, "reversal:1")

    def less_than_was_said(self, order, moment):
        self._charge(order, moment)
        self._enter(order, "refund", -order.amount, moment + 3 * DAY, moment + 3 * DAY, "refund:1")
        self._enter(order, "refund_reversal", order.amount // 2, moment + 3 * DAY, moment + 60 * DAY, "refund:1:corrected-1")

    def taken_back_and_back_again(self, order, moment):
        self._charge(order, moment)
        self._enter(order, "refund", -order.amount, moment + 3 * DAY, moment + 3 * DAY, "refund:1")
        self._enter(order, "refund_reversal", order.amount, moment + 10 * DAY, moment + 10 * DAY, "reversal:1")
        self._enter(order, "refund", -order.amount, moment + 30 * DAY, moment + 30 * DAY, "refund:2")

    def paid_back_elsewhere(self, order, moment):
        self._charge(order, moment)
        self._enter(order, "refund", -(order.amount // 2), moment + 29 * DAY, moment + 29 * DAY, "request:1", "elsewhere")

    def paid_back_twice(self, order, moment):
        self._charge(order, moment)
        self._enter(order, "refund", -order.amount, moment + 5 * DAY, moment + 5 * DAY, "request:1", "elsewhere")
        self._enter(order, "refund", -order.amount, moment + 35 * DAY, moment + 35 * DAY, "refund:1")

    def upgraded(self, order, moment):
        self._charge(order, moment)
        order.superseded = moment + 2 * DAY
        self._enter(order, "upgrade_credit", -(order.amount // 4), order.superseded, moment + 2 * DAY, "upgrade_credit:1")

    def refunded_and_upgraded(self, order, moment):
        self._charge(order, moment)
        self._enter(order, "refund", -(order.amount // 3), moment + DAY, moment + DAY, "refund:1")
        order.superseded = moment + 2 * DAY
        self._enter(order, "upgrade_credit", -(order.amount // 2), order.superseded, moment + 2 * DAY, "upgrade_credit:1")
        self._enter(order, "upgrade_credit_reversal", order.amount // 5, order.superseded, moment + 33 * DAY,
                    "upgrade_credit:1:corrected-1")

    def free(self, order, moment):
        order.amount = 0
        self._charge(order, moment)

    def a_test(self, order, moment):
        order.environment = "sandbox"
        self._charge(order, moment)
        self._enter(order, "refund", -order.amount, moment + datetime.timedelta(minutes=1), moment + datetime.timedelta(minutes=1), "refund:1")

    def told_late(self, order, moment):
        self._charge(order, moment + 45 * DAY)
        self._enter(order, "refund", -order.amount, moment + DAY, moment + 46 * DAY, "refund:1")

    def never_was(self, order, moment):
        """The refund was no refund: it is corrected to nothing."""
        self._charge(order, moment)
        self._enter(order, "refund", -order.amount, moment + 28 * DAY, moment + 28 * DAY, "refund:1")
        self._enter(order, "refund_reversal", order.amount, moment + 28 * DAY, moment + 70 * DAY, "refund:1:corrected-1")


