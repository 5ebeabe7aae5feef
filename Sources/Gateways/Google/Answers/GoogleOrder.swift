import Billing
import Foundation

/// `Order`: what was charged for, and what was given back (orders.get, orders.batchGet).
struct GoogleOrder: Hashable, Sendable {
    var id: GoogleOrderID
    var token: String?
    var state: State
    var createdAt: Date?
    var processedAt: Date?
    /// Paid by the customer, with taxes, less discounts.
    var total: Money?
    /// ISO 3166-1 alpha-2.
    var country: String?
    var lines: [Line]
    var refund: Refund?

    /// Its state, in Google's words.
    enum State: String, Sendable, CaseIterable {
        /// Nothing is charged yet. Can transition to: `processed`, `canceled`.
        case pending = "PENDING"
        /// Charged. Can transition to: `pendingRefund`, `partiallyRefunded`, `refunded`.
        case processed = "PROCESSED"
        /// Never charged. It ends there.
        case canceled = "CANCELED"
        /// Google is at it. Can transition to: `refunded`, `partiallyRefunded`, `processed`.
        case pendingRefund = "PENDING_REFUND"
        /// Can transition to: `refunded`.
        case partiallyRefunded = "PARTIALLY_REFUNDED"
        /// It ends there.
        case refunded = "REFUNDED"
    }

    /// One item of it.
    struct Line: Hashable, Sendable {
        var productID: String
        var total: Money?
        var basePlanID: String?
        var offerID: String?
        var phase: GoogleLineItem.Phase?
        var startsAt: Date?
        var endsAt: Date?
        var isSubscription: Bool
        var quantity: Int64

        var catalogID: String { GoogleLineItem.catalogID(productID, basePlanID) }
    }

    /// The money given back so far.
    struct Refund: Hashable, Sendable {
        var at: Date?
        /// nil of all of it, and where Google does not say.
        var total: Money?
        var isFull: Bool
        /// True if a bank took it back.
        var isChargeback: Bool
    }

    /// - Throws: `.missing` without its number, its state or an item.
    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "order")
        guard let id = try fields.name("orderId") else { throw GatewayError(.missing, "Google's order has no number.") }
        self.id = GoogleOrderID(id)
        let rawState = try fields.required("state")
        guard let state = State(rawValue: rawState) else {
            throw GatewayError(.malformed, "Google's state \(rawState.prefix(60)) of an order is not known here.")
        }
        self.state = state
        token = try fields.name("purchaseToken")
        createdAt = try fields.timestamp("createTime")
        total = try fields.money("total")
        country = try fields.object("buyerAddress", as: "address")?.string("buyerCountry")
        lines = try fields.list("lineItems", of: "line of an order") { line throws(GatewayError) in try Line(line) }
        guard !lines.isEmpty else { throw GatewayError(.missing, "Google's order has no line.") }
        let history = try fields.object("orderHistory", as: "history")
        processedAt = try history?.object("processedEvent", as: "event")?.timestamp("eventTime")
        refund = try Refund(history, state)
    }

    /// True if money was taken for it, also where it was given back since.
    var isCharged: Bool {
        switch state {
        case .processed, .pendingRefund, .partiallyRefunded, .refunded: true
        case .pending, .canceled: false
        }
    }

    /// The line of a product; the only one where there is but one.
    func line(of productID: String) -> Line? {
        lines.first { $0.productID == productID } ?? (lines.count == 1 ? lines.first : nil)
    }
}

extension GoogleOrder.Line {
    init(_ fields: JSONFields) throws(GatewayError) {
        guard let productID = try fields.name("productId") else {
            throw GatewayError(.missing, "A line of Google's order has no product.")
        }
        self.productID = productID
        total = try fields.money("total")
        let details = try fields.object("subscriptionDetails", as: "subscription")
        isSubscription = details != nil
        basePlanID = try details?.name("basePlanId")
        let once = try fields.object("oneTimePurchaseDetails", as: "purchase")
        let ownOffer = try details?.name("offerId")
        let otherOffer = try once?.name("offerId")
        offerID = ownOffer ?? otherOffer
        quantity = max(1, try once?.int64("quantity") ?? 1)
        startsAt = try details?.timestamp("servicePeriodStartTime")
        endsAt = try details?.timestamp("servicePeriodEndTime")
        let phases = try details?.object("offerPhaseDetails", as: "phase")
        if phases?.has("freeTrialDetails") == true {
            phase = .freeTrial
        } else if phases?.has("introductoryPriceDetails") == true {
            phase = .introductory
        } else if phases?.has("prorationPeriodDetails") == true {
            phase = .proration
        } else if phases?.has("baseDetails") == true {
            phase = .base
        } else {
            switch try details?.string("offerPhase") {
            case "FREE_TRIAL": phase = .freeTrial
            case "INTRODUCTORY": phase = .introductory
            case "BASE": phase = .base
            default: phase = nil
            }
        }
    }
}

extension GoogleOrder.Refund {
    /// - Returns: nil where nothing was given back.
    fileprivate init?(_ history: JSONFields?, _ state: GoogleOrder.State) throws(GatewayError) {
        let event = try history?.object("refundEvent", as: "refund")
        isChargeback = try event?.string("refundReason") == "CHARGEBACK"
        switch state {
        case .pending, .processed, .canceled, .pendingRefund: return nil
        case .refunded:
            at = try event?.timestamp("eventTime")
            (total, isFull) = (nil, true)
        case .partiallyRefunded:
            let parts = try history?.list("partialRefundEvents", of: "refund", read: Part.init) ?? []
            let processed = parts.filter { $0.state != "PENDING" }
            at = processed.compactMap(\.at).max()
            let amounts = processed.compactMap(\.total)
            // A part of no amount would make the sum too small.
            guard let first = amounts.first, amounts.count == processed.count else {
                throw GatewayError(.missing, "Google's order was refunded in part, and not each amount is said.")
            }
            var sum = first
            for next in amounts.dropFirst() {
                do {
                    sum = try sum + next
                } catch {
                    throw GatewayError(.malformed, "The refunds of Google's order cannot be added.", underlying: error)
                }
            }
            (total, isFull) = (sum, false)
        }
    }
}

/// One of an order's refunds in part.
private struct Part {
    var state: String?
    var at: Date?
    var total: Money?

    init(_ fields: JSONFields) throws(GatewayError) {
        state = try fields.string("state")
        let (processed, created) = (try fields.timestamp("processTime"), try fields.timestamp("createTime"))
        at = processed ?? created
        total = try fields.object("refundDetails", as: "refund")?.money("total")
    }
}
