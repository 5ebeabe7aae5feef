import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Refunds of ours at Google Play, and the errors to them") struct GoogleRefundTests {
    @Test(
        "an error to a refund of ours is no no, but for Google's own about an order that stands",
        arguments: [
            (SimulatedGoogleMood.error(400, status: "FAILED_PRECONDITION", reason: "orderNotRefundable"), true),
            (.error(400, status: "FAILED_PRECONDITION", reason: "orderAlreadyRefunded"), false),
            (.error(404, status: "NOT_FOUND", reason: "orderNotFound"), false), (.forbidden, false),
            (.conflict, false), (.page(400), false), (.page(404), false), (.page(502), false),
        ] as [(SimulatedGoogleMood, Bool)]
    )
    func refundErrors(mood: SimulatedGoogleMood, isNo: Bool) async throws {
        try await GoogleStore.run { store in
            let server = try #require(try store.gateway.refunds(of: store.account))
            let order = try #require(store.google.purchase(store.google.buy(GoogleStore.monthly))?.orders.first)
            let refund = StoreRefund(
                number: "RF-1",
                orderNumber: "R-1",
                transactionID: order,
                amount: GoogleStore.monthly.price,
                total: GoogleStore.monthly.price,
                reason: "asked"
            )
            store.google.be(mood, at: ":refund")
            let failure = await store.failure { _ = try await server.refund(refund) }
            #expect(failure != nil && (failure?.refusal != nil) == isNo)
            store.google.mend()
            #expect(try await server.standing(of: refund) == nil)
            // By now it has been given back.
            store.google.chargeBack(order)
            #expect(try await server.refund(refund).state == .succeeded)
        }
    }
}
