import Billing
import Foundation
import HTTP
import Storage
import Words

/// About how much a store that decides for itself pays back, by what it is told. It takes no amounts of ours.
struct StorePayback: Sendable {
    /// All of the charge that was not given back yet.
    let full: Money
    /// The unused share of the paid period; nil where there is none that we could work out.
    let prorated: Proration?

    init(_ order: RefundableOrder, at now: Date) {
        var whole = order
        // Other requests of ours hold nothing at the store.
        whole.held = .zero(order.amount.currency)
        full = whole.left
        prorated = try? whole.proration(at: now)
    }

    /// nil where the store alone knows.
    func amount(for preference: RefundPreference) -> Money? {
        switch preference {
        case .grantFull: full
        case .grantProrated: prorated?.amount
        case .decline: .zero(full.currency)
        }
    }
}

extension RefundText {
    /// Returns the amount that the store pays back when it follows a preference; nil where it does not decide about the refund.
    func payback(of details: RefundDetails, for preference: RefundPreference) -> PaybackText? {
        let store = details.order.order.store
        guard details.request.isDecided(by: store) else { return nil }
        guard let amount = StorePayback(details.refundable, at: now).amount(for: preference) else {
            return .unknown(store: StoreText.name(of: store, strings).description)
        }
        return .about(self.amount(amount))
    }

    /// "Apple then pays back about 1.92 CNY: 3 days of 31 days are unused."
    func payback(_ payback: StorePayback, for preference: RefundPreference, at store: String) -> String {
        switch preference {
        case .grantFull: strings.refundsPaybackFull(amount: amount(payback.full), store: store)
        case .grantProrated:
            payback.prorated.map { share in
                strings.refundsPaybackProrated(
                    amount: amount(share.amount),
                    store: store,
                    total: strings.refundsDays(count: share.totalDays),
                    unused: strings.refundsDays(count: share.unusedDays)
                )
            } ?? strings.refundsPaybackUnknown(store: store)
        case .decline: strings.refundsPaybackNone(store: store)
        }
    }
}
