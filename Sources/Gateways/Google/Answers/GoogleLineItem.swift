import Billing
import Foundation

/// One item of a subscription's purchase: the subscription itself, or what was bought beside it.
struct GoogleLineItem: Hashable, Sendable {
    var productID: String
    var basePlanID: String?
    var offerID: String?
    /// nil of what was not paid for yet, such as what will take this one's place.
    var orderID: GoogleOrderID?
    /// When access ends, or will end unless it renews; in a grace period that of the grace period.
    var expiresAt: Date?
    var isPrepaid: Bool
    var renews: Bool
    /// Before discounts, without taxes.
    var recurringPrice: Money?
    var priceChange: PriceChange?
    /// The product that takes its place at the end of the period.
    var replacedBy: String?
    /// True if it is dropped at the end of the period.
    var isRemovedAtEnd: Bool
    var phase: Phase?
    /// True if a promotional code was used when it was bought.
    var usedCode: Bool
    var installments: Installments?

    /// The kind of price of the current period.
    enum Phase: Hashable, Sendable {
        case base
        case introductory
        case freeTrial
        /// The time that a change of plans moved.
        case proration
    }

    /// A price that will be charged, and whether the customer agreed.
    struct PriceChange: Hashable, Sendable {
        var price: Money?
        /// nil where nobody has to agree.
        var isAccepted: Bool?
    }

    /// The payments that a customer has committed to.
    struct Installments: Hashable, Sendable {
        var committed: Int64
        var remaining: Int64
        /// True if it ends when all of them are paid.
        var endsAfter: Bool
    }

    /// Its name in our catalogue: subscription and base plan, because each base plan has its own period and price.
    var catalogID: String { Self.catalogID(productID, basePlanID) }

    static func catalogID(_ productID: String, _ basePlanID: String?) -> String {
        basePlanID.map { "\(productID):\($0)" } ?? productID
    }

    init(_ fields: JSONFields) throws(GatewayError) {
        guard let productID = try fields.name("productId") else {
            throw GatewayError(.missing, "An item of Google's subscription has no product.")
        }
        self.productID = productID
        let offer = try fields.object("offerDetails", as: "offer")
        basePlanID = try offer?.name("basePlanId")
        offerID = try offer?.name("offerId")
        orderID = try fields.name("latestSuccessfulOrderId").map(GoogleOrderID.init)
        expiresAt = try fields.timestamp("expiryTime")
        let plan = try fields.object("autoRenewingPlan", as: "plan")
        isPrepaid = plan == nil && fields.has("prepaidPlan")
        renews = try plan?.flag("autoRenewEnabled") ?? false
        recurringPrice = plan?.unneeded { plan throws(GatewayError) in try plan.money("recurringPrice") }
        priceChange = try PriceChange(plan)
        replacedBy = try fields.object("deferredItemReplacement", as: "replacement")?.name("productId")
        isRemovedAtEnd = fields.has("deferredItemRemoval")
        phase = try fields.object("offerPhase", as: "phase").flatMap(Phase.init)
        usedCode = fields.has("signupPromotion")
        if let details = try plan?.object("installmentDetails", as: "instalments") {
            installments = Installments(
                committed: try details.int64("initialCommittedPaymentsCount"),
                remaining: try details.int64("remainingCommittedPaymentsCount"),
                endsAfter: details.has("pendingCancellation")
            )
        } else {
            installments = nil
        }
    }
}

extension GoogleLineItem.Phase {
    init?(_ fields: JSONFields) {
        if fields.has("freeTrial") {
            self = .freeTrial
        } else if fields.has("introductoryPrice") {
            self = .introductory
        } else if fields.has("prorationPeriod") {
            self = .proration
        } else if fields.has("basePrice") {
            self = .base
        } else {
            return nil
        }
    }
}

extension GoogleLineItem.PriceChange {
    /// - Returns: nil where no other price is to come.
    fileprivate init?(_ plan: JSONFields?) throws(GatewayError) {
        guard let plan else { return nil }
        if let step = try plan.object("priceStepUpConsentDetails", as: "price step") {
            let state = try step.string("state")
            if state == "PENDING" || state == "CONFIRMED" {
                price = try step.money("newPrice")
                isAccepted = state == "CONFIRMED"
                return
            }
        }
        guard let change = try plan.object("priceChangeDetails", as: "price change") else { return nil }
        let state = try change.string("priceChangeState")
        guard state == "OUTSTANDING" || state == "CONFIRMED" else { return nil }
        price = try change.money("newPrice")
        switch try change.string("priceChangeMode") {
        case "PRICE_INCREASE": isAccepted = state == "CONFIRMED"
        // Whoever does not object agrees.
        case "OPT_OUT_PRICE_INCREASE": isAccepted = true
        default: isAccepted = nil
        }
    }
}
