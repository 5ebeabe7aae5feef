import Billing
import Foundation
import Postgres

extension PriceConsent: PostgresEncodable, PostgresDecodable {}
extension RenewalOffer.Discount: PostgresEncodable, PostgresDecodable {}

extension Subscription {
    /// The columns that `readRenewal(_:)` reads, of `subscriptions s`: the next renewal, and of which longer time the period is one.
    static let renewalColumns: Query = """
        s.renewal_price, s.renewal_currency, s.renews_at, s.renewal_offer_kind, s.renewal_offer_id, s.renewal_offer_discount,
        s.renewal_offer_period, s.price_consent, s.win_back_offer_ids, s.is_committed, s.commitment_period, s.commitment_periods,
        s.commitment_ends_at, s.commitment_price, s.commitment_currency, s.commitment_cancelled_at
        """

    static let renewalColumnCount = 16

    mutating func readRenewal(_ columns: inout RowColumns) throws {
        renewalPrice = try Money.orNone(&columns)
        let date: Date? = try columns.next()
        let offer = try RenewalOffer(&columns)
        nextRenewal = NextRenewal(
            at: date,
            offer: offer.saysSomething ? offer : nil,
            priceConsent: try columns.next(),
            winBackOfferIDs: try columns.next()
        )
        let isCommitted: Bool = try columns.next()
        let (period, periods): (Int32?, Int32?) = (try columns.next(), try columns.next())
        let end: Date? = try columns.next()
        let price = try Money.orNone(&columns)
        commitmentCancelledAt = try columns.next()
        guard isCommitted else { return }
        commitment = Commitment(
            period: period.map { Int($0) },
            periods: periods.map { Int($0) },
            endsAt: end,
            price: price
        )
    }

    /// The same as an `UPDATE` sets it.
    var renewalAssignments: Query {
        let offer = nextRenewal.offer
        return """
            renewal_price = \(renewalPrice?.minorUnits), renewal_currency = \(renewalPrice?.currency.code),
            renews_at = \(nextRenewal.at), renewal_offer_kind = \(offer?.kind), renewal_offer_id = \(offer?.identifier),
            renewal_offer_discount = \(offer?.discount), renewal_offer_period = \(offer?.period?.description),
            price_consent = \(nextRenewal.priceConsent), win_back_offer_ids = \(nextRenewal.winBackOfferIDs),
            is_committed = \(commitment != nil),
            commitment_period = \(commitment?.period, as: Int32.self),
            commitment_periods = \(commitment?.periods, as: Int32.self),
            commitment_ends_at = \(commitment?.endsAt), commitment_price = \(commitment?.price?.minorUnits),
            commitment_currency = \(commitment?.price?.currency.code), commitment_cancelled_at = \(commitmentCancelledAt)
            """
    }
}

extension RenewalOffer {
    fileprivate init(_ columns: inout RowColumns) throws {
        self.init(kind: try columns.next(), identifier: try columns.next(), discount: try columns.next())
        let period: String? = try columns.next()
        self.period = period.flatMap { BillingPeriod(iso8601: $0) }
    }
}

extension Money {
    /// An amount and its currency; nil where there is none.
    fileprivate static func orNone(_ columns: inout RowColumns) throws -> Money? {
        let (amount, currency): (Int64?, Currency?) = (try columns.next(), try columns.next())
        guard let amount, let currency else { return nil }
        return Money(minorUnits: amount, currency: currency)
    }
}
