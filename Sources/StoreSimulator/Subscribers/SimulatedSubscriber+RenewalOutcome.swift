import Billing
import Foundation

extension SimulatedSubscriber {
    /// Ends the period. Returns true when another period was paid.
    mutating func settle() -> Bool {
        let date = transaction.expiresDate
        guard renewsAutomatically else {
            // Apple reports an end without a charge within the hour.
            expire("VOLUNTARY", intent: 1, at: date.addingTimeInterval(Double(random.index(below: 3_000))))
            return false
        }
        guard priceIncreaseStatus != 0 else {
            expire("PRICE_INCREASE", intent: 3, at: date)
            return false
        }
        switch settlement() {
        case .paid:
            renew(at: date)
            tell("DID_RENEW", at: date)
            return true
        case .failed(let grace): return failToRenew(grace)
        case .productWithdrawn:
            expire("PRODUCT_NOT_FOR_SALE", intent: 4, at: date)
            return false
        case .other:
            expire(nil, intent: 5, at: date)
            return false
        }
    }

    /// Lets a former subscriber buy again. Returns false when they do not, or not before the end.
    mutating func comeBack() -> Bool {
        let returns = scenario == .cancelledAndReturned || random.chance(0.18)
        scenario = nil
        guard returns, let last = notifications.last else { return false }
        let date = last.signedDate.addingTimeInterval((day * random.double(5...120)).rounded())
        guard date < end else { return false }
        let product = random.chance(0.7) ? transaction.product : random.pick(catalog.products) ?? transaction.product
        buy(product, at: Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
        tell("SUBSCRIBED", "RESUBSCRIBE", at: transaction.purchaseDate)
        return true
    }

    mutating func expire(_ subtype: String?, intent: Int64, at date: Date) {
        renewsAutomatically = false
        tell("EXPIRED", subtype, at: date, status: 2) {
            $0.expirationIntent = intent
            if intent == 2 { $0.isInBillingRetry = false }
        }
    }

    private mutating func settlement() -> RenewalOutcome {
        if let outcome = scenarioOutcome() {
            scenario = nil
            return outcome
        }
        if turns?.outage.contains(transaction.expiresDate) == true, random.chance(0.7) {
            return .failed(grace: .recovered)
        }
        // Cards fail more often on the first charge after a trial, and after a whole year.
        let isLongAgo = transaction.isFreeTrial || transaction.product.period.unit == .year
        guard random.chance(isLongAgo ? 0.07 : 0.03) else { return random.chance(0.000_5) ? .other : .paid }
        let graces: [(weight: Int, item: RenewalOutcome.Grace)] = [
            (48, .recovered), (12, .thenRetryRecovered), (18, .thenLost), (10, .noneRetryRecovered), (12, .noneLost),
        ]
        return .failed(grace: random.pick(weighted: graces) ?? .recovered)
    }

    private func scenarioOutcome() -> RenewalOutcome? {
        switch scenario {
        case .trialConverted: .paid
        case .graceRecovered: .failed(grace: .recovered)
        case .graceThenRetryRecovered: .failed(grace: .thenRetryRecovered)
        case .graceThenLost: .failed(grace: .thenLost)
        case .retryRecovered: .failed(grace: .noneRetryRecovered)
        case .retryLost: .failed(grace: .noneLost)
        case .productWithdrawn: .productWithdrawn
        case .endedOtherwise: .other
        case .trialAbandoned, .cancelled, .cancelledAndReturned, .reEnabled, .upgraded, .downgraded,
            .changeTakenBack, .refundedFully, .refundedInPart, .refundedForThePast, .refundDeclined,
            .refundReversed, .priceAccepted, .priceRefused, .extended, .extensionFailed, .offerRedeemed,
            .familyLeft, .sandboxTester, nil:
            nil
        }
    }

    private mutating func failToRenew(_ grace: RenewalOutcome.Grace) -> Bool {
        let failed = transaction.expiresDate
        switch grace {
        case .recovered, .thenRetryRecovered, .thenLost:
            let graceEnds = failed.addingTimeInterval(16 * day)
            tell("DID_FAIL_TO_RENEW", "GRACE_PERIOD", at: failed, status: 4) {
                $0.isInBillingRetry = true
                $0.gracePeriodExpiresDate = graceEnds
            }
            if case .recovered = grace {
                let date = failed.addingTimeInterval((day * random.double(0.5...15)).rounded())
                renew(at: date)
                tell("DID_RENEW", "BILLING_RECOVERY", at: date)
                return true
            }
            tell("GRACE_PERIOD_EXPIRED", at: graceEnds, status: 3) { $0.isInBillingRetry = true }
        case .noneRetryRecovered, .noneLost:
            tell("DID_FAIL_TO_RENEW", at: failed, status: 3) { $0.isInBillingRetry = true }
        }
        switch grace {
        case .recovered, .thenRetryRecovered, .noneRetryRecovered:
            let date = failed.addingTimeInterval((day * random.double(17...55)).rounded())
            recover(at: date)
            tell("DID_RENEW", "BILLING_RECOVERY", at: date)
            return true
        case .thenLost, .noneLost:
            expire("BILLING_RETRY", intent: 2, at: failed.addingTimeInterval(60 * day))
            return false
        }
    }
}
