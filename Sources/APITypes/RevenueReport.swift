/// `GET /admin/metrics/revenue`: what came in and went back, by period. Definitions: docs/metrics.md.
public struct RevenueReport: Codable, Hashable, Sendable {
    /// Of the definitions; another version counts otherwise.
    public var version: Int
    /// The business time zone that its days are of.
    public var timeZone: String
    /// The numbers are as they were known at the end of this day; nil for now.
    public var asOf: String?
    public var rows: [Row]
    /// Currencies without a rate on some day: their amounts are left out.
    public var missingRates: [String]

    public struct Row: Codable, Hashable, Sendable {
        /// The first day of the period, `2026-11-01`.
        public var from: String
        /// Its last day.
        public var to: String
        /// Its last day is not over.
        public var isPartial: Bool
        /// The product, plan, store or country, when the answer is divided by one; nil otherwise.
        public var part: String?
        /// ISO 4217.
        public var currency: String
        public var gross: Amount
        public var refunds: Amount
        public var net: Amount
        /// An estimate.
        public var proceeds: Amount
        /// What was given back, also later, of the period's charges.
        public var refundsOfCharges: Amount
        public var charges: Int
        public var freeOrders: Int
        public var refundsMade: Int
        public var refundedCharges: Int

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            part: String?,
            currency: String,
            gross: Amount,
            refunds: Amount,
            net: Amount,
            proceeds: Amount,
            refundsOfCharges: Amount,
            charges: Int,
            freeOrders: Int,
            refundsMade: Int,
            refundedCharges: Int
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.part = part
            self.currency = currency
            self.gross = gross
            self.refunds = refunds
            self.net = net
            self.proceeds = proceeds
            self.refundsOfCharges = refundsOfCharges
            self.charges = charges
            self.freeOrders = freeOrders
            self.refundsMade = refundsMade
            self.refundedCharges = refundedCharges
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
