import Foundation
import Testing

@testable import Gateways

/// A verifier and an app that trusts one test chain, which the suites about verification share.
struct TestStore {
    let chain: TestChain
    let app: AppleConfiguration
    let verifier = AppleVerifier()

    private static let chain = Result { try TestChain() }

    init() throws {
        chain = try Self.chain.get()
        app = try .test(anchors: [chain.root])
    }

    func verify(_ signedPayload: String) async throws -> AppleNotification {
        try await verifier.verify(signedPayload: signedPayload, for: app, at: TestNotification.now)
    }

    /// Returns the code of the step at which a payload fails; nil when it is verified.
    func code(
        _ signedPayload: String,
        for app: AppleConfiguration? = nil,
        at now: Date = TestNotification.now
    ) async -> GatewayError.Code? {
        do {
            _ = try await verifier.verify(signedPayload: signedPayload, for: app ?? self.app, at: now)
            return nil
        } catch {
            return error.code
        }
    }

    func signed(x5c: JSON) throws -> String {
        var payload = TestNotification().payload
        payload["data"] = TestNotification().data
        return try chain.sign(payload, x5c: x5c)
    }

    func dated(_ date: Date) throws -> String {
        var notification = TestNotification()
        notification.payload["signedDate"] = .number((date.timeIntervalSince1970 * 1_000).rounded())
        return try notification.signed(by: chain)
    }

    func inEnvironment(_ environment: String) -> TestNotification {
        var notification = TestNotification()
        notification.data["environment"] = .string(environment)
        notification.data["appAppleId"] = nil
        notification.transaction?["environment"] = .string(environment)
        notification.renewal?["environment"] = .string(environment)
        return notification
    }

    /// Returns the token with another type written into its payload.
    func tamper(_ signedPayload: String) throws -> String {
        let parts = signedPayload.split(separator: ".").map { Array($0.utf8) }
        var payload = try JSON(parsing: try #require(Base64.decode(url: parts[1])))
        payload["notificationType"] = "REFUND"
        let changed = [parts[0], Base64.encode(url: payload.bytes), parts[2]]
        return changed.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }
}
