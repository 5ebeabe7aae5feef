import Billing
import HTTP
import Storage
import Words

/// The name of a store's offer.
enum OfferText {
    /// "Promotional offer: spring24"
    static func name(of kind: StoreTransaction.Offer.Kind?, _ identifier: String?, _ strings: Strings) -> String {
        let name =
            switch kind {
            case .introductory: strings.ordersOfferIntroductory
            case .promotional: strings.ordersOfferPromotional
            case .code: strings.ordersOfferCode
            case .winBack: strings.ordersOfferWinBack
            case nil: strings.ordersOfferOther
            }
        guard let identifier else { return name.description }
        return strings.ordersOfferNamed(identifier: identifier, offer: name.description)
    }

    /// "Promotional offer: spring24, pay up front, 6 months"
    static func text(_ offer: RenewalOffer, _ strings: Strings) -> String {
        let parts = [
            name(of: offer.kind, offer.identifier, strings), offer.discount.map { name(of: $0, strings).description },
            offer.period.map { PeriodLength.text($0, strings) },
        ]
        return parts.compactMap(\.self).joined(separator: strings.language == .chinese ? "，" : ", ")
    }

    private static func name(of discount: RenewalOffer.Discount, _ strings: Strings) -> StaticString {
        switch discount {
        case .freeTrial: strings.subscriptionsFreeTrial
        case .payAsYouGo: strings.subscriptionsPayAsYouGo
        case .payUpFront: strings.subscriptionsPayUpFront
        case .oneTime: strings.subscriptionsOneTime
        }
    }
}
