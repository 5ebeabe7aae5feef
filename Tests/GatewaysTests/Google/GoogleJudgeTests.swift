import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

/// Checks Google's own clients (PyPI `google-api-python-client` and `google-auth`) against the simulated Google Play, so that our client
/// and our simulator are not judged by each other alone.
@Suite("Google's clients and the simulated Google Play", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct GoogleJudgeTests {
    @Test("agree on every call, on access tokens, and on who pushes") func everyCall() async throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        let google = SimulatedGoogle(
            packageName: "com.example.app",
            serviceKey: try GoogleStore.serviceKey.get(),
            googleKey: try GoogleStore.googleKey.get()
        )
        try await google.start()
        let token = google.buy(GoogleStore.monthly)
        google.renew(token)
        let other = google.buy(GoogleStore.basic)
        let once = google.buyOnce("coins", Money(minorUnits: 299, currency: GoogleStore.eur))
        func order(_ token: String) throws -> String { try #require(google.purchase(token)?.orders.first) }
        let voided = try order(google.buy(GoogleStore.monthly))
        google.chargeBack(voided)
        let push = try #require(google.pushes.first)
        let stranger = GoogleSigner(try GoogleStore.serviceKey.get(), keyID: "sim-kid")
        func bearer(_ delivery: StoreDelivery) -> String {
            String((delivery.headers["authorization"] ?? "").dropFirst(7))
        }
        let pushed = bearer(try google.delivery(of: push))
        let claims = try JSON(parsing: try #require(Base64.decode(url: pushed.split(separator: ".")[1].utf8)))
        let known: JSON = [
            "url": .string(google.url), "packageName": "com.example.app", "audience": .string(google.audience),
            "token": .string(token), "order": .string(try order(token)), "renewal": .string("\(try order(token))..0"),
            "otherToken": .string(other), "onceToken": .string(once), "onceOrder": .string(try order(once)),
            "onceProduct": "coins", "voided": .string(voided),
            "kept": .string(try order(google.buy(GoogleStore.monthly))),
            "refundable": .string(try order(google.buy(GoogleStore.monthly))), "pushToken": .string(pushed),
            "forgedToken": .string(try stranger.sign(claims)),
        ]
        try judge.write(known.bytes, to: "google.json")
        try judge.write(google.serviceAccountFile.bytes, to: "service_account.json")
        let verdict = try await judge.runAside("google_play.py")
        #expect(verdict.status == 0, "\(verdict.output)")
        #expect(verdict.output.hasSuffix("41 passed, 0 failed\n"), "\(verdict.output)")
        // What another's client was answered, ours asks for in the same words.
        #expect(google.asked.contains { $0.hasSuffix("/orders:batchGet") })
        await google.stop()
    }
}
