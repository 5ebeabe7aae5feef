/// `GET /admin/metrics/mrr`: monthly recurring revenue and how it moved, by period and currency, or all of it in one. Definitions:
/// docs/metrics.md.
public struct RecurringRevenueReport: Codable, Hashable, Sendable {
    /// Of the definitions; another version counts otherwise.
    public var version: Int
    /// The business time zone that its days are of.
    public var timeZone: String
    /// The numbers are as they were known at the end of this day; nil for now.
    public var asOf: String?
    public var rows: [Row]
    /// Currencies without a rate: their amounts are left out of what all are in one. ISO 4217, sorted.
    public var missingRates: [String]

    /// The start and all movements are the end, to the cent.
    public struct Row: Codable, Hashable, Sendable {
        /// The first day of the period, `2026-11-01`.
        public var from: String
        /// Its last day.
        public var to: String
        /// Its last day is not over.
        public var isPartial: Bool
        /// ISO 4217.
        public var currency: String
        public var start: Amount
        /// Of customers who never had paid access before.
        public var new: Amount
        /// Of customers who came back.
        public var reactivation: Amount
        public var expansion: Amount
        /// Not above zero.
        public var contraction: Amount
        /// Not above zero: of customers who have no paid access any more.
        public var churned: Amount
        public var end: Amount

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            currency: String,
            start: Amount,
            new: Amount,
            reactivation: Amount,
            expansion: Amount,
            contraction: Amount,
            churned: Amount,
            end: Amount
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.currency = currency
            self.start = start
            self.new = new
            self.reactivation = reactivation
            self.expansion = expansion
            self.contraction = contraction
            self.churned = churned
            self.end = end
        }
    }

    public init(version: Int, timeZone: String, asOf: String?, rows: [Row], missingRates: [String]) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.rows = rows
        self.missingRates = missingRates
    }
}

/// `GET /admin/metrics/subscribers`: the customers with paid access, by period. Definitions: docs/metrics.md.
public struct SubscriberReport: Codable, Hashable, Sendable {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var rows: [Row]

    public struct Row: Codable, Hashable, Sendable {
        public var from: String
        public var to: String
        public var isPartial: Bool
        public var start: Int
        public var new: Int
        public var reactivated: Int
        /// Into what the filter leaves, less those out of it; 0 without a filter.
        public var moved: Int
        /// How often paid access ended.
        public var ended: Int
        public var end: Int
        /// Those of the start who had no paid access at the end.
        public var lost: Int
        /// Lost of start in percent, with two decimals; nil without any at the start.
        public var churnRate: Double?

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            start: Int,
            new: Int,
            reactivated: Int,
            moved: Int,
            ended: Int,
            end: Int,
            lost: Int,
            churnRate: Double?
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.start = start
            self.new = new
            self.reactivated = reactivated
            self.moved = moved
            self.ended = ended
            self.end = end
            self.lost = lost
            self.churnRate = churnRate
        }
    }

    public init(version: Int, timeZone: String, asOf: String?, rows: [Row]) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.rows = rows
    }
}

/// `GET /admin/metrics/trials`: free trials by the period they began in. Definitions: docs/metrics.md.
public struct TrialReport: Codable, Hashable, Sendable {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var rows: [Row]

    /// Converted, pending and abandoned are all trials.
    public struct Row: Codable, Hashable, Sendable {
        public var from: String
        public var to: String
        public var isPartial: Bool
        public var trials: Int
        public var converted: Int
        public var pending: Int
        public var abandoned: Int

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            trials: Int,
            converted: Int,
            pending: Int,
            abandoned: Int
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.trials = trials
            self.converted = converted
            self.pending = pending
            self.abandoned = abandoned
        }
    }

    public init(version: Int, timeZone: String, asOf: String?, rows: [Row]) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.rows = rows
    }
}
