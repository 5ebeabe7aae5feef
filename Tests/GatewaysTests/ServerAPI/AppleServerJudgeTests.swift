import Billing
import Foundation
import Gateways
import StoreSimulator
import Testing

/// Checks Apple's own client (PyPI `app-store-server-library`) against the simulated App Store.
@Suite("Apple's client and the simulated App Store", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct AppleServerJudgeTests {
    @Test("agree on every call, sync and async")
    func everyCall() async throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        let authority = try TestAuthority.kept(in: judge.folder.path)
        let catalog = SimulatedCatalog.readmigo
        let server = SimulatedAppleServer(
            authority: authority,
            endpoints: [SimulatedEndpoint("POST", "/webhook") { _ in StoreResponse(status: 200) }]
        )
        let now = Date()
        let told = SimulatedSubscribers(seed: 21, customers: 40, months: 26, endingAt: now).notifications()
        server.record(told, as: .arrived)
        try await server.start()
        server.setWebhook(server.url() + "/webhook")
        let refunded = try #require(told.last { $0.type == "REFUND" && $0.environment == .production }?.transaction)
        let tested = try #require(told.last { $0.environment == .sandbox && $0.renewal != nil }?.transaction)
        let recent = told.count {
            $0.environment == .production && $0.signedDate > now.addingTimeInterval(-169 * 86_400)
        }
        let described: JSON = [
            "url": .string(server.url()), "sandboxUrl": .string(server.url(of: .sandbox)),
            "issuerId": .string(server.key.issuerID), "keyId": .string(server.key.keyID),
            "bundleId": .string(catalog.bundleID), "appAppleId": .integer(catalog.appAppleID),
            "transactionIds": .array(TestAppStore.active(in: told).prefix(2).map { .string($0.id) }),
            "sandboxTransactionId": .string(tested.id), "refundedTransactionId": .string(refunded.id),
            "notifications": .integer(Int64(recent)),
        ]
        try Data(described.bytes).write(to: judge.folder.appending(path: "server.json"))
        try Data(server.key.pem.utf8).write(to: judge.folder.appending(path: "AuthKey.p8"))
        let verdict = try await judge.runAside("apple_server.py")
        #expect(verdict.status == 0, "\(verdict.output)")
        #expect(verdict.output.hasSuffix(" passed, 0 failed\n"), "\(verdict.output)")
        await server.stop()
    }
}
