import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

/// A simulated Google Play with one app, and a clock that the suites move.
struct GoogleStore: Sendable {
    static let start = Date(timeIntervalSince1970: 1_790_000_000)
    static let serviceKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    static let googleKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    static let ada = UUID(uuidString: "9C2F1B7E-5A40-4A4E-8D0C-6F1F3C1F0A11")

    static let eur = Currency("EUR") ?? .unknown
    static let monthly = SimulatedPlan("pro", "monthly", Money(minorUnits: 999, currency: eur), days: 30)
    static let yearly = SimulatedPlan("pro", "yearly", Money(minorUnits: 9_999, currency: eur), days: 365)
    static let basic = SimulatedPlan("basic", "monthly", Money(minorUnits: 499, currency: eur), days: 30)
    static let extra = SimulatedPlan("extra", "monthly", Money(minorUnits: 199, currency: eur), days: 30)

    let clock: SimulatedClock
    let google: SimulatedGoogle
    let gateway: GoogleGateway
    let spoiling: SpoilingTransport?

    /// - Parameter isSpoiled: whether answers go through a transport that can spoil them.
    static func run(isSpoiled: Bool = false, _ body: (GoogleStore) async throws -> Void) async throws {
        let clock = SimulatedClock(standingAt: start)
        let google = SimulatedGoogle(
            packageName: "com.example.app",
            serviceKey: try serviceKey.get(),
            googleKey: try googleKey.get(),
            clock: clock
        )
        try await google.start()
        let spoiling = isSpoiled ? SpoilingTransport(HTTPStoreTransport()) : nil
        let gateway = GoogleGateway(
            transport: spoiling ?? HTTPStoreTransport(),
            policy: AppleRetryPolicy(pauses: isSpoiled ? [] : [.seconds(1), .seconds(2)], longestWait: .seconds(60)),
            clock: AppleServerClock(now: { clock.now }, sleep: { _ in }, jitter: { 0 })
        )
        do {
            try await body(GoogleStore(clock: clock, google: google, gateway: gateway, spoiling: spoiling))
        } catch {
            await google.stop()
            throw error
        }
        await google.stop()
    }

    var account: StoreAccount { google.account }
    var now: Date { clock.now }

    func days(_ count: Double) { clock.advance(by: count * 86_400) }

    /// The meaning of the newest push, as the back office takes it in: opened, verified, resolved.
    func newest() async throws -> [StoreEvent] {
        let push = try #require(google.pushes.last)
        return try await meaning(of: push)
    }

    func meaning(of push: SimulatedPush) async throws -> [StoreEvent] {
        let delivery = try google.delivery(of: push)
        let message = try await gateway.open(delivery).verify(for: account, at: now)
        guard message.content.isUnresolved else { return [] }
        return try await gateway.events(of: delivery.payload, for: account)
    }

    /// The events of all pushes so far, each as it is told when it comes at once.
    var reader: GoogleReader {
        get throws { GoogleReader(client: try #require(try gateway.client(of: account))) }
    }

    func failure(_ work: () async throws -> Void) async -> StoreFailure? {
        do {
            try await work()
            return nil
        } catch {
            return error as? StoreFailure ?? (error as? GoogleCallFailure)?.failure
        }
    }
}
