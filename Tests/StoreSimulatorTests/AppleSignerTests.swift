import Billing
import Foundation
import Gateways
import Testing

@testable import StoreSimulator

@Suite("The simulator's signatures")
struct AppleSignerTests {
    @Test("everything that a business has to tell is verified, and becomes an event unless it concerns no subscription")
    func verified() async throws {
        let lives = SimulatedSubscribers(
            seed: 3,
            customers: 50,
            months: 13,
            endingAt: Date(timeIntervalSince1970: 1_795_000_000)
        )
        let authority = try TestAuthority()
        let signer = AppleSigner(authority: authority)
        let app = try AppleConfiguration(
            bundleID: lives.catalog.bundleID,
            appAppleID: lives.catalog.appAppleID,
            mode: .simulator(anchors: [authority.root])
        )
        let verifier = AppleVerifier()
        var kinds: Set<StoreEvent.Kind> = []
        for told in lives.notifications() {
            let payload = try signer.sign(told)
            #expect(try AppleEnvelope(payload).unverifiedBundleID == "com.readmigo.app")
            let read = try await verifier.verify(signedPayload: payload, for: app, at: lives.end)
            #expect(read.rawType == told.type)
            #expect(read.signedDate == told.signedDate)
            #expect(read.isKnown == (told.type != "LOYALTY_LEVEL_CHANGED"))
            guard let event = try read.event() else {
                #expect(["TEST", "LOYALTY_LEVEL_CHANGED"].contains(told.type))
                continue
            }
            let transaction = try #require(told.transaction)
            #expect(event.id == told.notificationUUID.uuidString.lowercased())
            #expect(event.environment == told.environment)
            #expect(event.transaction.id == transaction.id)
            #expect(event.transaction.expiresAt == transaction.expiresDate)
            #expect(event.transaction.customerToken == told.customer)
            #expect(event.transaction.isFamilyShared == transaction.isFamilyShared)
            #expect(event.renewal?.renewsAutomatically == told.renewal?.renewsAutomatically)
            kinds.insert(event.kind)
        }
        #expect(
            Set(StoreEvent.Kind.allCases).subtracting(kinds) == [
                .purchasedOnce, .paused, .resumed, .observed, .informational, .seatsChanged, .seatsRefunded,
                .periodMoved,
            ]
        )
    }

    @Test("an authority is made once and kept, its key for its owner only")
    func kept() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try TestAuthority.kept(in: folder.path)
        let second = try TestAuthority.kept(in: folder.path)
        #expect(first.root == second.root)
        #expect(first.leaf == second.leaf)
        let lives = SimulatedSubscribers(
            seed: 1,
            customers: 1,
            months: 1,
            endingAt: Date(timeIntervalSince1970: 1_795_000_000)
        )
        let told = try #require(lives.notifications().first)
        let app = try AppleConfiguration(
            bundleID: told.bundleID,
            appAppleID: told.appAppleID,
            mode: .simulator(anchors: [first.root])
        )
        _ = try await AppleVerifier()
            .verify(signedPayload: AppleSigner(authority: second).sign(told), for: app, at: lives.end)
        #expect(try Data(contentsOf: folder.appending(path: "root.der")) == Data(first.root))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "leaf.key.pem").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("an authority whose directory is damaged is an error, not silently another one")
    func damaged() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try TestAuthority.kept(in: folder.path)
        try Data("no certificate".utf8).write(to: folder.appending(path: "root.der"))
        #expect(throws: SimulatorError.self) { try TestAuthority.kept(in: folder.path) }
    }
}
