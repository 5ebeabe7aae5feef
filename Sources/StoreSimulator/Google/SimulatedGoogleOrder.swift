package import Billing
package import Foundation
import Gateways

/// An order in the simulated Play Console.
package struct SimulatedGoogleOrder: Sendable {
    package var id: String
    package var token: String
    package var state = "PROCESSED"
    package var createdAt: Date
    package var lines: [Line]
    package var refundedAt: Date?
    /// The part that was given back.
    package var refunded: Money?
    package var isChargeback = false
    package var saysTotal = true

    package struct Line: Sendable {
        package var productID: String
        package var basePlanID: String?
        package var total: Money
        package var start: Date
        package var end: Date?
        /// `baseDetails`, `freeTrialDetails`, `introductoryPriceDetails`, `prorationPeriodDetails`
        package var phase = "baseDetails"
        package var quantity: Int64 = 1
    }

    package var total: Money {
        let first = lines.first?.total ?? Money(minorUnits: 0, currency: .unknown)
        return Money(minorUnits: lines.reduce(0) { $0 + $1.total.minorUnits }, currency: first.currency)
    }

    func json(country: String) -> JSON {
        var history: JSON = ["processedEvent": ["eventTime": .google(createdAt)]]
        if state == "REFUNDED", let refundedAt {
            history["refundEvent"] = [
                "eventTime": .google(refundedAt), "refundReason": .string(isChargeback ? "CHARGEBACK" : "OTHER"),
                "refundDetails": ["total": .google(total)],
            ]
        }
        if state == "PARTIALLY_REFUNDED", let refundedAt, let refunded {
            history["partialRefundEvents"] = [
                [
                    "createTime": .google(refundedAt), "processTime": .google(refundedAt),
                    "state": "PROCESSED_SUCCESSFULLY", "refundDetails": ["total": .google(refunded)],
                ]
            ]
        }
        var json: JSON = [
            "orderId": .string(id), "purchaseToken": .string(token), "state": .string(state),
            "createTime": .google(createdAt), "lastEventTime": .google(refundedAt ?? createdAt),
            "buyerAddress": ["buyerCountry": .string(country)], "orderHistory": history,
            "lineItems": .array(lines.map { $0.json(saysTotal: saysTotal) }), "salesChannel": "IN_APP",
        ]
        if saysTotal { json["total"] = .google(total) }
        return json
    }
}

extension SimulatedGoogleOrder.Line {
    fileprivate func json(saysTotal: Bool) -> JSON {
        var json: JSON = ["productId": .string(productID), "productTitle": .string(productID)]
        if saysTotal { (json["total"], json["listingPrice"]) = (.google(total), .google(total)) }
        if let end, let basePlanID {
            json["subscriptionDetails"] = [
                "basePlanId": .string(basePlanID), "servicePeriodStartTime": .google(start),
                "servicePeriodEndTime": .google(end),
                "offerPhaseDetails": .object([JSON.Member(name: phase, value: [:])]),
            ]
        } else {
            json["oneTimePurchaseDetails"] = quantity == 1 ? [:] : ["quantity": .integer(quantity)]
        }
        return json
    }
}

extension JSON {
    /// As proto3's JSON writes an amount: what is zero is left out, and units are a text.
    static func google(_ money: Money) -> JSON {
        var scale: Int64 = 1
        for _ in 0..<money.currency.digits { scale *= 10 }
        var json: JSON = ["currencyCode": .string(money.currency.code)]
        let (units, rest) = money.minorUnits.quotientAndRemainder(dividingBy: scale)
        if units != 0 { json["units"] = .string(String(units)) }
        if rest != 0 { json["nanos"] = .integer(rest * (1_000_000_000 / scale)) }
        return json
    }

    /// RFC 3339 to the millisecond.
    static func google(_ date: Date) -> JSON {
        .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }

    /// Milliseconds since 1970, as a text.
    static func googleMilliseconds(_ date: Date) -> JSON {
        .string(String(Int64(bounding: (date.timeIntervalSince1970 * 1_000).rounded())))
    }
}
