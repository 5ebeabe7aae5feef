import Billing
import Foundation
import Testing

@testable import Gateways

@Suite("What a renewal info says of the next renewal") struct AppleRenewalTermsTests {
    private func terms(_ fields: [String: JSON?]) throws -> RenewalTerms {
        var json: JSON = .object([])
        for (name, value) in fields { json[name] = value }
        return try AppleRenewalInfo(json).terms
    }

    @Test("offer, price, day, consent and win-back offers come along")
    func everything() throws {
        let terms = try terms([
            "offerType": 2, "offerIdentifier": "spring", "offerDiscountType": "PAY_UP_FRONT", "offerPeriod": "P6M",
            "priceIncreaseStatus": 0, "renewalPrice": 9_990, "currency": "USD", "renewalDate": 1_750_900_000_000,
            "eligibleWinBackOfferIds": ["back", "again"],
        ])
        let offer = RenewalOffer(
            kind: .promotional,
            identifier: "spring",
            discount: .payUpFront,
            period: BillingPeriod(6, .month)
        )
        #expect(terms.offer == offer)
        #expect(terms.priceIncreaseAccepted == false)
        #expect(terms.renewalPrice?.decimalText == "9.99")
        #expect(terms.renewsAt == Date(timeIntervalSince1970: 1_750_900_000))
        #expect(terms.winBackOfferIDs == ["back", "again"])
        #expect(terms.isPartial == nil)
    }

    @Test(
        "what is of another type than documented, or beyond what is kept, says nothing, and keeps no purchase waiting",
        arguments: [
            "offerType", "offerIdentifier", "offerDiscountType", "offerPeriod", "priceIncreaseStatus", "renewalPrice",
            "currency", "renewalDate", "eligibleWinBackOfferIds", "autoRenewStatus", "autoRenewProductId",
            "gracePeriodExpiresDate", "isInBillingRetryPeriod", "expirationIntent", "commitmentInfo",
            "advancedCommerceInfo", "appAccountToken", "recentSubscriptionStartDate",
        ]
    )
    func odd(_ name: String) throws {
        let odd: [JSON] = [
            .null, true, "", "x", [], .object([]), 7, -1, .integer(.max), .integer(.min), .number(1.5), .number(1e300),
            .string(String(repeating: "x", count: 300)), "a\u{0}b", [7], .array([.string("a\u{0}"), ""]),
        ]
        for value in odd {
            var notification = TestNotification()
            notification.renewal?[name] = value
            var payload = notification.payload
            payload["data"] = notification.data
            let read = try AppleNotification(
                payload: payload,
                body: AppleNotification.Body(payload),
                transaction: notification.transaction,
                renewal: notification.renewal,
                appTransaction: nil
            )
            #expect(read.problem == nil, "\(name) \(value)")
            let event = try #require(try read.event(), "\(name) \(value)")
            #expect(event.transaction.price != nil)
        }
    }

    @Test("a status that Apple adds later is no consent and no refusal")
    func laterStatus() throws {
        #expect(try terms(["priceIncreaseStatus": 2]).priceIncreaseAccepted == nil)
        #expect(try terms(["priceIncreaseStatus": 1]).priceIncreaseAccepted == true)
        #expect(try terms(["offerType": 9, "offerPeriod": "P1M2D"]).offer == nil)
    }

    @Test(
        "of Advanced Commerce the items say who has not agreed",
        arguments: [
            (["ACCEPTED", "PENDING"], false), (["ACCEPTED", "SCHEDULED"], true), (["SCHEDULED"], nil), ([], nil),
        ] as [([String], Bool?)]
    )
    func items(_ statuses: [String], _ accepted: Bool?) throws {
        let items = statuses.map {
            ["SKU": "s", "priceIncreaseInfo": ["price": 9_990, "status": .string($0)]] as JSON
        }
        let terms = try terms(["advancedCommerceInfo": ["items": .array(items + [7, ["SKU": "x"]])]])
        #expect(terms.priceIncreaseAccepted == accepted)
    }

    @Test("an end without a renewal info, and a receipt, say nothing of the next one")
    func partial() throws {
        var ended = TestNotification().of("EXPIRED", "VOLUNTARY")
        ended.renewal = nil
        var payload = ended.payload
        payload["data"] = ended.data
        let read = try AppleNotification(
            payload: payload,
            body: AppleNotification.Body(payload),
            transaction: ended.transaction,
            renewal: nil,
            appTransaction: nil
        )
        #expect(try read.event()?.renewal?.isPartial == true)
    }
}
