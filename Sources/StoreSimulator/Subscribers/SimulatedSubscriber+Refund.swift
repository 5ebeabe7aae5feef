import Foundation

extension SimulatedSubscriber {
    /// Asks Apple for the money back. Returns false when Apple took the running period away.
    mutating func refund(_ refund: PeriodEvent.Refund) -> Bool {
        let asked = moment(random.double(0.1...0.5))
        let decided = asked.addingTimeInterval(hour * random.double(20...40).rounded())
        if case .past = refund {
            guard var past = previous, past.price > 0, !past.isUpgraded else { return true }
            past.revocation = SimulatedRevocation(date: asked, reason: 0, type: "REFUND_FULL", percentage: 100_000)
            tell("REFUND", at: asked, about: past)
            return true
        }
        guard transaction.price > 0 else { return true }
        if !isDecidedAtOnce(refund) {
            let reason = random.pick(["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "OTHER"])
            tell("CONSUMPTION_REQUEST", at: asked, reason: reason)
        }
        switch refund {
        case .declined:
            tell("REFUND_DECLINED", at: decided)
            return true
        case .full, .past:
            takeBack(at: decided, type: "REFUND_FULL", percentage: 100_000)
            return false
        case .prorated:
            let length = transaction.expiresDate.timeIntervalSince(transaction.purchaseDate)
            let unused = max(0, transaction.expiresDate.timeIntervalSince(decided) / length)
            takeBack(at: decided, type: "REFUND_PRORATED", percentage: Int64((unused * 100).rounded()) * 1_000)
            return false
        case .reversed:
            takeBack(at: decided, type: "REFUND_FULL", percentage: 100_000)
            transaction.revocation = nil
            renewsAutomatically = true
            tell("REFUND_REVERSED", at: decided.addingTimeInterval(3 * day))
            return true
        }
    }

    private mutating func isDecidedAtOnce(_ refund: PeriodEvent.Refund) -> Bool {
        switch refund {
        case .full: random.chance(0.4)
        case .prorated, .past, .declined, .reversed: false
        }
    }

    private mutating func takeBack(at date: Date, type: String, percentage: Int64) {
        transaction.revocation = SimulatedRevocation(
            date: date,
            reason: random.chance(0.3) ? 1 : 0,
            type: type,
            percentage: percentage
        )
        renewsAutomatically = false
        tell("REFUND", at: date, status: 5)
    }
}
