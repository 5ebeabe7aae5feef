import Billing
import Foundation
import HTTP
import Storage
import Words

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
