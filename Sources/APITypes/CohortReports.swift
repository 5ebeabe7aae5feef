/// `GET /admin/metrics/retention`: how many of the subscriptions first paid for in a month paid for each period since.
/// Definitions: docs/metrics.md.
public struct RetentionReport: Codable, Hashable, Sendable {
    /// Of the definitions; another version counts otherwise.
    public var version: Int
    /// The business time zone that its days are of.
    public var timeZone: String
    /// The numbers are as they were known at the end of this day; nil for now.
    public var asOf: String?
    /// How long a period of the first product is, `P1M`.
    public var period: String
    public var rows: [Row]

    /// The subscriptions of one month.
    public struct Row: Codable, Hashable, Sendable {
        /// The month's first day, `2026-11-01`.
        public var from: String
        /// Its last day.
        public var to: String
        /// Whose first paid period began in it.
        public var subscriptions: Int
        /// From the first period on.
        public var periods: [Period]

        public init(
            from: String,
            to: String,
            subscriptions: Int,
            periods: [Period]
        ) {
            self.from = from
            self.to = to
            self.subscriptions = subscriptions
            self.periods = periods
        }
    }

    public struct Period: Codable, Hashable, Sendable {
        /// Who paid for it; given back in full is not paid.
        public var paid: Int
        /// Of the subscriptions in percent, with two decimals; nil without any.
        public var share: Double?
        /// It is not over for all of them.
        public var isPartial: Bool

        public init(
            paid: Int,
            share: Double?,
            isPartial: Bool
        ) {
            self.paid = paid
            self.share = share
            self.isPartial = isPartial
        }
    }

    public init(
        version: Int,
        timeZone: String,
        asOf: String?,
        period: String,
        rows: [Row]
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.period = period
        self.rows = rows
    }
}

/// `GET /admin/metrics/conversion`: how soon the customers first seen in a month paid. Definitions: docs/metrics.md.
public struct ConversionReport: Codable, Hashable, Sendable {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var rows: [Row]

    /// The customers of one month.
    public struct Row: Codable, Hashable, Sendable {
        public var from: String
        public var to: String
        public var customers: Int
        /// Within 7, 30 and 90 days, and ever.
        public var steps: [Step]

        public init(
            from: String,
            to: String,
            customers: Int,
            steps: [Step]
        ) {
            self.from = from
            self.to = to
            self.customers = customers
            self.steps = steps
        }
    }

    public struct Step: Codable, Hashable, Sendable {
        /// After the day a customer was first seen; nil for ever.
        public var days: Int?
        public var paid: Int
        /// Of the customers in percent, with two decimals; nil without any.
        public var share: Double?
        /// The youngest were not that old.
        public var isPartial: Bool

        public init(
            days: Int?,
            paid: Int,
            share: Double?,
            isPartial: Bool
        ) {
            self.days = days
            self.paid = paid
            self.share = share
            self.isPartial = isPartial
        }
    }

    public init(
        version: Int,
        timeZone: String,
        asOf: String?,
        rows: [Row]
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.rows = rows
    }
}

/// `GET /admin/metrics/arpu`: what customers brought, by month, in one currency. Definitions: docs/metrics.md.
public struct CustomerValueReport: Codable, Hashable, Sendable {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    /// ISO 4217, of all amounts.
    public var currency: String
    public var rows: [Row]
    /// Currencies without a rate on some day: their amounts are left out.
    public var missingRates: [String]

    public struct Row: Codable, Hashable, Sendable {
        public var from: String
        public var to: String
        public var isPartial: Bool
        /// Charges less refunds, each on its own day.
        public var net: Amount
        /// Seen by the end of the month.
        public var customers: Int
        /// Who paid in it.
        public var payers: Int
        /// Net of customers; nil without any.
        public var arpu: Amount?
        /// Net of payers; nil without any.
        public var arppu: Amount?

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            net: Amount,
            customers: Int,
            payers: Int,
            arpu: Amount?,
            arppu: Amount?
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.net = net
            self.customers = customers
            self.payers = payers
            self.arpu = arpu
            self.arppu = arppu
        }
    }

    public init(
        version: Int,
        timeZone: String,
        asOf: String?,
        currency: String,
        rows: [Row],
        missingRates: [String]
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.currency = currency
        self.rows = rows
        self.missingRates = missingRates
    }
}

/// `GET /admin/metrics/ltv`: what the customers first seen in a month have brought until now, in one currency. Definitions:
/// docs/metrics.md.
public struct LifetimeValueReport: Codable, Hashable, Sendable {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    /// ISO 4217, of all amounts.
    public var currency: String
    public var rows: [Row]
    /// From the last month that is over; nil when nobody paid in it.
    public var predicted: Prediction?
    /// Currencies without a rate on some day: their amounts are left out.
    public var missingRates: [String]

    public struct Row: Codable, Hashable, Sendable {
        public var from: String
        public var to: String
        /// First seen in it.
        public var customers: Int
        /// Of them, who ever paid.
        public var payers: Int
        /// Net revenue until now.
        public var net: Amount
        /// nil without any.
        public var perCustomer: Amount?
        public var perPayer: Amount?

        public init(
            from: String,
            to: String,
            customers: Int,
            payers: Int,
            net: Amount,
            perCustomer: Amount?,
            perPayer: Amount?
        ) {
            self.from = from
            self.to = to
            self.customers = customers
            self.payers = payers
            self.net = net
            self.perCustomer = perCustomer
            self.perPayer = perPayer
        }
    }

    /// An estimate.
    public struct Prediction: Codable, Hashable, Sendable {
        public var from: String
        public var to: String
        public var arppu: Amount
        /// Subscribers lost in the month in percent, with two decimals; nil without any at its start.
        public var churnRate: Double?
        /// ARPPU by churn; nil where nobody was lost.
        public var value: Amount?

        public init(
            from: String,
            to: String,
            arppu: Amount,
            churnRate: Double?,
            value: Amount?
        ) {
            self.from = from
            self.to = to
            self.arppu = arppu
            self.churnRate = churnRate
            self.value = value
        }
    }

    public init(
        version: Int,
        timeZone: String,
        asOf: String?,
        currency: String,
        rows: [Row],
        predicted: Prediction?,
        missingRates: [String]
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.currency = currency
        self.rows = rows
        self.predicted = predicted
        self.missingRates = missingRates
    }
}
