import Billing
import Foundation

extension SimulatedSubscriber {
    /// Lives through the period up to its end. Returns false when the subscription was taken away.
    mutating func livePeriod() -> Bool {
        switch periodEvent() {
        case .nothing: return true
        case .cancellation:
            cancel(at: moment(random.double(0.05...0.95)))
            return true
        case .cancellationTakenBack:
            cancel(at: moment(random.double(0.1...0.4)))
            renewsAutomatically = true
            tell("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", at: moment(random.double(0.5...0.9)))
            return true
        case .upgrade:
            guard let product = catalog.upgrade(of: transaction.product) else { return true }
            let date = moment(random.double(0.1...0.8))
            upgrade(to: product, at: date)
            tell("DID_CHANGE_RENEWAL_PREF", "UPGRADE", at: date)
            return livePeriod()
        case .downgrade:
            scheduleDowngrade()
            return true
        case .downgradeTakenBack:
            guard scheduleDowngrade() else { return true }
            nextProduct = transaction.product
            tell("DID_CHANGE_RENEWAL_PREF", at: moment(random.double(0.6...0.9)))
            return true
        case .refund(let refund): return self.refund(refund)
        case .priceIncrease(let accepted):
            raisePrice(accepted: accepted)
            return true
        case .extended:
            let date = moment(random.double(0.3...0.7))
            transaction.expiresDate = transaction.expiresDate.addingTimeInterval(7 * day)
            anchor = transaction.expiresDate
            periodsSinceAnchor = 0
            tell("RENEWAL_EXTENDED", at: date)
            return true
        case .extensionFailed:
            tell("RENEWAL_EXTENSION", "FAILURE", at: moment(random.double(0.3...0.7)))
            return true
        case .offerRedeemed:
            pendingOffer = "WELCOMEBACK50"
            tell("OFFER_REDEEMED", at: moment(random.double(0.2...0.8)))
            return true
        }
    }

    /// Returns the scenario's event once, and a random one otherwise; more happens in a year than in a month.
    private mutating func periodEvent() -> PeriodEvent {
        if let event = scenarioEvent() {
            if !isScenarioOpen { scenario = nil }
            return event
        }
        if transaction.isFreeTrial { return random.chance(0.40) ? .cancellation : .nothing }
        let likelihoods = transaction.product.period.unit == .year ? Self.ofAYear : Self.ofAMonth
        var rest = random.unit()
        for (likelihood, event) in likelihoods {
            if rest < likelihood { return event }
            rest -= likelihood
        }
        return .nothing
    }

    private func scenarioEvent() -> PeriodEvent? {
        switch scenario {
        case .trialAbandoned, .cancelled, .cancelledAndReturned: .cancellation
        case .reEnabled: .cancellationTakenBack
        case .upgraded: .upgrade
        case .downgraded: .downgrade
        case .changeTakenBack: .downgradeTakenBack
        case .refundedFully: .refund(.full)
        case .refundedInPart: .refund(.prorated)
        case .refundedForThePast: previous == nil ? nil : .refund(.past)
        case .refundDeclined: .refund(.declined)
        case .refundReversed: .refund(.reversed)
        case .priceAccepted: .priceIncrease(accepted: true)
        case .priceRefused: .priceIncrease(accepted: false)
        case .extended: .extended
        case .extensionFailed: .extensionFailed
        case .offerRedeemed: .offerRedeemed
        case .graceRecovered, .graceThenRetryRecovered, .graceThenLost, .retryRecovered, .retryLost,
            .trialConverted, .productWithdrawn, .endedOtherwise:
            // Decided at the period's end; nothing may come in between.
            .nothing
        case .familyLeft, .sandboxTester, nil: nil
        }
    }

    /// True if the scenario goes on after the events of the period.
    private var isScenarioOpen: Bool {
        switch scenario {
        case .graceRecovered, .graceThenRetryRecovered, .graceThenLost, .retryRecovered, .retryLost,
            .trialConverted, .productWithdrawn, .endedOtherwise, .cancelledAndReturned:
            true
        case .trialAbandoned, .cancelled, .reEnabled, .upgraded, .downgraded, .changeTakenBack, .refundedFully,
            .refundedInPart, .refundedForThePast, .refundDeclined, .refundReversed, .priceAccepted, .priceRefused,
            .extended, .extensionFailed, .offerRedeemed, .familyLeft, .sandboxTester, nil:
            false
        }
    }

    mutating func cancel(at date: Date) {
        renewsAutomatically = false
        tell("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", at: date)
    }

    @discardableResult
    private mutating func scheduleDowngrade() -> Bool {
        guard let product = catalog.downgrade(of: transaction.product) else { return false }
        nextProduct = product
        tell("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", at: moment(random.double(0.1...0.5)))
        return true
    }

    private mutating func raisePrice(accepted: Bool) {
        pricePercent += 15
        priceIncreaseStatus = 0
        tell("PRICE_INCREASE", "PENDING", at: moment(0.2))
        guard accepted else { return }
        priceIncreaseStatus = 1
        tell("PRICE_INCREASE", "ACCEPTED", at: moment(random.double(0.3...0.8)))
    }

    private static let ofAMonth: [(Double, PeriodEvent)] = [
        (0.024, .cancellation), (0.004, .cancellationTakenBack), (0.008, .upgrade), (0.004, .downgrade),
        (0.002, .downgradeTakenBack), (0.003, .refund(.full)), (0.002, .refund(.prorated)), (0.002, .refund(.past)),
        (0.002, .refund(.declined)), (0.000_5, .refund(.reversed)), (0.002, .priceIncrease(accepted: true)),
        (0.001, .priceIncrease(accepted: false)), (0.002, .extended), (0.000_5, .extensionFailed),
        (0.003, .offerRedeemed),
    ]

    private static let ofAYear: [(Double, PeriodEvent)] = [
        (0.28, .cancellation), (0.03, .cancellationTakenBack), (0.04, .upgrade), (0.03, .downgrade),
        (0.01, .downgradeTakenBack), (0.012, .refund(.full)), (0.015, .refund(.prorated)),
        (0.008, .refund(.declined)), (0.002, .refund(.reversed)), (0.01, .priceIncrease(accepted: true)),
        (0.005, .priceIncrease(accepted: false)), (0.01, .extended), (0.002, .extensionFailed),
        (0.01, .offerRedeemed),
    ]
}
