import Billing
import Foundation
import Testing

// The words that the tests tell lives in: days since the start, one subscription, prices in yuan.

extension Date {
    /// Days (and parts of days) after 2025-01-01 00:00 UTC.
    static func day(_ number: Double) -> Date {
        Date(timeIntervalSince1970: 1_735_689_600 + (number * 86_400_000).rounded() / 1_000)
    }

    /// "2025-01-31 09:30:00" on the clocks of `zone`.
    static func local(_ text: String, _ zone: TimeZone) throws -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = text.split(whereSeparator: { "- :".contains($0) }).compactMap { Int($0) }
        try #require(parts.count == 6)
        return try #require(
            calendar.date(
                from: DateComponents(
                    year: parts[0],
                    month: parts[1],
                    day: parts[2],
                    hour: parts[3],
                    minute: parts[4],
                    second: parts[5]
                )
            )
        )
    }

    /// The clocks of `zone` at this moment, as `local` reads them.
    func local(_ zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: self)
        let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map { $0 ?? -1 }
        return String(
            format: "%04d-%02d-%02d %02d:%02d:%02d",
            numbers[0],
            numbers[1],
            numbers[2],
            numbers[3],
            numbers[4],
            numbers[5]
        )
    }
}

extension TimeZone {
    static func named(_ name: String) throws -> TimeZone {
        try #require(TimeZone(identifier: name), "\(name) is missing from the zone database")
    }
}

extension Currency {
    static let cny = named("CNY")

    static func named(_ code: String) -> Currency {
        guard let currency = Currency(code) else { preconditionFailure("\(code) is not a currency code") }
        return currency
    }
}

extension Money {
    static func yuan(_ yuan: Int64, fen: Int64 = 0) -> Money {
        Money(minorUnits: yuan * 100 + fen, currency: .cny)
    }
}

extension StoreTransaction {
    /// An auto-renewable period of `pro.monthly` for 18.00, unless told otherwise.
    static func sold(
        _ id: String,
        from start: Double,
        to end: Double?,
        for price: Money? = .yuan(18),
        _ productID: String = "pro.monthly",
        kind: Kind = .autoRenewable,
        reason: Reason? = nil,
        trial: Bool = false,
        family: Bool = false,
        revocation: Revocation? = nil
    ) -> StoreTransaction {
        StoreTransaction(
            id: id,
            originalID: "t1",
            productID: productID,
            kind: kind,
            purchasedAt: .day(start),
            expiresAt: end.map { .day($0) },
            price: price,
            reason: reason,
            isFamilyShared: family,
            offer: trial ? Offer(kind: .introductory, identifier: nil, isFreeTrial: true) : nil,
            revocation: revocation,
            storefront: "CHN"
        )
    }

    /// As the store describes it after taking it back.
    func takenBack(on day: Double, milliPercent: Int? = nil) -> StoreTransaction {
        var copy = self
        copy.revocation = Revocation(at: .day(day), reason: 0, milliPercent: milliPercent)
        return copy
    }
}

extension StoreEvent {
    /// A production message of Apple's, signed on a day.
    static func told(
        _ kind: Kind,
        on day: Double,
        _ transaction: StoreTransaction,
        _ renewal: RenewalTerms? = nil,
        id: String? = nil
    ) -> StoreEvent {
        StoreEvent(
            id: id ?? "\(kind.rawValue) \(transaction.id) \(day)",
            store: .apple,
            environment: .production,
            signedAt: .day(day),
            kind: kind,
            transaction: transaction,
            renewal: renewal
        )
    }
}

extension RenewalTerms {
    static func renews(
        _ isOn: Bool = true,
        next: String? = nil,
        because reason: ExpirationReason? = nil
    ) -> RenewalTerms {
        RenewalTerms(renewsAutomatically: isOn, nextProductID: next, expirationReason: reason)
    }

    static func grace(until day: Double) -> RenewalTerms {
        RenewalTerms(renewsAutomatically: true, gracePeriodEndsAt: .day(day), isInBillingRetry: true)
    }
}

extension SubscriptionHistory {
    static func outcome(_ events: StoreEvent...) -> Outcome {
        SubscriptionHistory(events).replay()
    }
}

extension SubscriptionHistory.Outcome {
    /// The rejections by event, in order.
    var rejections: [TransitionRefused.Code] { steps.compactMap { $0.rejectionReason?.code } }

    func order(_ transactionID: String) throws -> BookedOrder {
        try #require(books.orders.first { $0.transactionID == transactionID }, "no order of \(transactionID)")
    }

    /// "initial_purchase 18.00, refund -18.00" of one order.
    func ledger(_ transactionID: String) throws -> String {
        try order(transactionID).entries.map { "\($0.kind.rawValue) \($0.amount.decimalText)" }.joined(separator: ", ")
    }
}
