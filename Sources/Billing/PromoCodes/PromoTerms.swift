package import Foundation

/// The terms of a batch's codes: the plan, the customers and the time.
package struct PromoTerms: Hashable, Sendable {
    package var plan: Plan
    /// The number of days of access.
    package var days: Int
    /// The maximum number of redemptions of each code, each by another customer.
    package var usesPerCode: Int
    /// The maximum number of the batch's codes that one customer can redeem.
    package var usesPerCustomer: Int
    /// nil for immediately.
    package var startsAt: Date?
    /// Exclusive; nil for no end.
    package var expiresAt: Date?
    /// The time at which staff stopped it; nil while it is not stopped.
    package var stoppedAt: Date?

    package init(
        plan: Plan,
        days: Int,
        usesPerCode: Int = 1,
        usesPerCustomer: Int = 1,
        startsAt: Date? = nil,
        expiresAt: Date? = nil,
        stoppedAt: Date? = nil
    ) {
        self.plan = plan
        self.days = days
        self.usesPerCode = usesPerCode
        self.usesPerCustomer = usesPerCustomer
        self.startsAt = startsAt
        self.expiresAt = expiresAt
        self.stoppedAt = stoppedAt
    }

    package static let possibleDays = 1...EntitlementAction.longestDays
    package static let possibleCodes = 1...100_000
    package static let possibleUses = 1...1_000_000
    package static let possibleUsesPerCustomer = 1...100

    /// The state of a batch at a moment. The raw values appear in URLs.
    package enum State: String, Sendable, CaseIterable {
        /// Begins later. Moved by time to `running`, by staff to `stopped`.
        case scheduled
        /// Its codes can be redeemed. Moved by time to `expired`, by staff to `stopped`.
        case running
        /// Its end has come.
        case expired
        /// Staff stopped it. Moved by staff back to the state that time gives it.
        case stopped
    }

    package func state(at now: Date) -> State {
        if stoppedAt != nil { return .stopped }
        if let expiresAt, expiresAt <= now { return .expired }
        if let startsAt, startsAt > now { return .scheduled }
        return .running
    }

    /// Checks that a customer who has redeemed `own` of the batch's codes can redeem one more.
    ///
    /// - Parameters:
    ///   - hasRedeemedCode: true if they have redeemed this very code.
    ///   - uses: the number of redemptions of the code, by anybody.
    package func check(
        own: Int,
        hasRedeemedCode: Bool,
        uses: Int,
        at now: Date
    ) throws(PromoRefusal) {
        switch state(at: now) {
        case .stopped: throw .stopped
        case .scheduled: throw .notYetValid
        case .expired: throw .expired
        case .running: break
        }
        guard !hasRedeemedCode, own < usesPerCustomer else { throw .alreadyRedeemed }
        guard uses < usesPerCode else { throw .usedUp }
    }
}

/// The reason that a code is not redeemed. Nothing has changed, and the code is as good as before. The raw values are the API's codes.
package enum PromoRefusal: String, Error, Sendable, CaseIterable {
    /// The app has no such code.
    case unknown = "promoCodeUnknown"
    case notYetValid = "promoCodeNotYetValid"
    case expired = "promoCodeExpired"
    /// Staff stopped the batch.
    case stopped = "promoCodeStopped"
    /// It has no redemptions left.
    case usedUp = "promoCodeUsedUp"
    /// This customer has redeemed it, or as many of its batch as one can.
    case alreadyRedeemed = "promoCodeAlreadyRedeemed"
    /// The customer has the plan, or a higher one, for as long as they pay for it or without end.
    case alreadyCovered = "promoCodeAlreadyCovered"
}

extension EntitlementSources {
    /// The grant that a code comes to. It begins now, or where what the customer has of the plan or a higher one ends: neither what is
    /// paid nor what was given before is lost under it.
    ///
    /// - Throws: `.alreadyCovered` where that has no end in sight: while a subscription renews itself, and for access without end.
    package func promoGrant(of plan: Plan, days: Int, at now: Date, id: Grant.ID) throws(PromoRefusal) -> Grant {
        // Also under a grant that takes precedence now: a renewing subscription would pay for the days of the code.
        let renews = subscriptions.contains { held in
            held.plan.rank >= plan.rank && held.hasAccess(at: now) && held.subscription.renewsAutomatically
        }
        guard !renews else { throw .alreadyCovered }
        var start = now
        while let held = entitlement(at: start), held.plan.rank >= plan.rank {
            guard let end = held.until, end > start else { throw .alreadyCovered }
            start = end
        }
        let end = start.addingTimeInterval(Double(days) * 86_400)
        guard end <= StoreEvent.possibleDates.upperBound else { throw .alreadyCovered }
        return Grant(id: id, plan: plan, kind: .complimentary, startsAt: start, endsAt: end)
    }
}
