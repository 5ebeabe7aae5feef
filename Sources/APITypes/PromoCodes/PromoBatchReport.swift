public import Foundation

/// A batch and what came of it: `GET /admin/promo-codes/{id}`.
public struct PromoBatchDetails: Resource {
    public var batch: PromoBatchItem
    public var report: PromoReportItem
    public var days: [Day]

    public static let fields = Fields<Self> {
        Field("batch", \.batch)
        Field("report", \.report)
        Field(
            "days",
            \.days,
            "The newest hundred of the app's business days on which a code was redeemed, newest first."
        )
    }

    /// Redemptions of one business day.
    public struct Day: Resource {
        public var day: String
        public var redemptions: Int

        public static let fields = Fields<Self> {
            Field("day", \.day, .format("date"))
            Field("redemptions", \.redemptions)
        }

        public init(day: String, redemptions: Int) {
            self.day = day
            self.redemptions = redemptions
        }
    }

    public init(batch: PromoBatchItem, report: PromoReportItem, days: [Day]) {
        self.batch = batch
        self.report = report
        self.days = days
    }
}

/// The results of promo codes.
public struct PromoReportItem: Resource {
    public var codes: Int
    public var redeemedCodes: Int
    public var redemptions: Int
    public var customers: Int
    public var neverPaid: Int
    public var converted: Int
    public var conversionRate: Double?

    public static let fields = Fields<Self> {
        Field("codes", \.codes)
        Field("redeemedCodes", \.redeemedCodes, "Codes that were redeemed at least once.")
        Field("redemptions", \.redemptions)
        Field("customers", \.customers, "Who redeemed any of them.")
        Field("neverPaid", \.neverPaid, "Of those: who had paid nothing when they redeemed the first.")
        Field("converted", \.converted, "Of those: whose first charge in production came afterwards.")
        Field("conversionRate", \.conversionRate, "`converted` / `neverPaid`; null where nobody could convert.")
    }

    public init(
        codes: Int,
        redeemedCodes: Int,
        redemptions: Int,
        customers: Int,
        neverPaid: Int,
        converted: Int,
        conversionRate: Double?
    ) {
        self.codes = codes
        self.redeemedCodes = redeemedCodes
        self.redemptions = redemptions
        self.customers = customers
        self.neverPaid = neverPaid
        self.converted = converted
        self.conversionRate = conversionRate
    }
}

/// The results of each channel: `GET /admin/promo-codes/channels`.
public struct PromoChannelReport: Resource {
    public var channels: [Channel]

    public static let fields = Fields<Self> {
        Field("channels", \.channels, "The most redeemed first; at most a hundred.")
    }

    public struct Channel: Resource {
        public var channel: String
        public var batches: Int
        public var report: PromoReportItem

        public static let fields = Fields<Self> {
            Field("channel", \.channel)
            Field("batches", \.batches, "How many batches it has.")
            Field("report", \.report)
        }

        public init(channel: String, batches: Int, report: PromoReportItem) {
            self.channel = channel
            self.batches = batches
            self.report = report
        }
    }

    public init(channels: [Channel]) {
        self.channels = channels
    }
}

/// A redemption of a batch's code.
public struct PromoRedemptionItem: Resource {
    public var id: UUID
    public var codeNumber: Int
    public var userId: UUID
    public var startsAt: Date
    public var endsAt: Date?
    public var revoked: Bool
    public var redeemedAt: Date

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("codeNumber", \.codeNumber, "Which code of the batch, from 1, as in its CSV.")
        Field("userId", \.userId, "The customer's id.")
        Field("startsAt", \.startsAt, "When what it gave begins.")
        Field("endsAt", \.endsAt)
        Field("revoked", \.revoked, "Whether staff ended it.")
        Field("redeemedAt", \.redeemedAt)
    }

    public init(
        id: UUID,
        codeNumber: Int,
        userId: UUID,
        startsAt: Date,
        endsAt: Date?,
        revoked: Bool,
        redeemedAt: Date
    ) {
        self.id = id
        self.codeNumber = codeNumber
        self.userId = userId
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.revoked = revoked
        self.redeemedAt = redeemedAt
    }
}

/// A page of redemptions.
public struct PromoRedemptionPage: Resource {
    public var redemptions: [PromoRedemptionItem]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("redemptions", \.redemptions)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(redemptions: [PromoRedemptionItem], next: String?) {
        self.redemptions = redemptions
        self.next = next
    }
}
