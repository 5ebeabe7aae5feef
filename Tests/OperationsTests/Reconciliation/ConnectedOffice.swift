import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport

/// A back office whose app has a key for the simulated App Store, which answers over HTTP.
struct ConnectedOffice: Sendable {
    let office: TestOffice
    let backOffice: BackOffice
    let store: SimulatedAppleServer
    let verifyReceipt: SimulatedVerifyReceipt

    /// An authority made once, for RSA keys are slow to make.
    static let receiptAuthority = Result { try ReceiptAuthority() }
    static let sharedSecret = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"

    var clock: TestClock { office.clock }

    /// - Parameter deliveries: takes the store's notifications; nil for a store that has no address of the app.
    static func run<Value: Sendable>(
        deliveries: Deliveries? = nil,
        _ body: (ConnectedOffice) async throws -> Value
    ) async throws -> Value {
        // It runs, but from the test's own date on: its clients sign with the real time.
        let clock = SimulatedClock()
        clock.advance(by: TestOffice.start.timeIntervalSinceNow)
        let verifyReceipt = SimulatedVerifyReceipt(
            for: try AppleConfiguration(
                bundleID: SimulatedCatalog.readmigo.bundleID,
                appAppleID: SimulatedCatalog.readmigo.appAppleID,
                mode: .simulator(anchors: [try Self.receiptAuthority.get().root])
            ),
            sharedSecret: Self.sharedSecret
        ) { clock.now }
        let store = SimulatedAppleServer(
            authority: try TestOffice.authority.get(),
            webhook: deliveries.map { _ in "http://office.test/webhooks/apple" },
            clock: clock,
            endpoints: verifyReceipt.endpoints,
            transport: deliveries ?? HTTPStoreTransport()
        )
        try await store.start()
        do {
            let value = try await TestOffice.run { office in
                let backOffice = office.anotherServer(
                    secret: TestOffice.secret,
                    gateways: StoreGateways([
                        AppleGateway(policy: AppleRetryPolicy(pauses: [.milliseconds(1)], longestWait: .seconds(60)))
                    ])
                )
                let connected = ConnectedOffice(
                    office: office,
                    backOffice: backOffice,
                    store: store,
                    verifyReceipt: verifyReceipt
                )
                _ = try await backOffice.applyCatalog(try connected.catalog())
                return try await body(connected)
            }
            await store.stop()
            return value
        } catch {
            await store.stop()
            throw error
        }
    }

    func catalog() throws -> Catalog {
        var catalog = try Catalog.readmigo()
        catalog.accounts[.apple] = .apple(
            bundleID: store.bundleID,
            appAppleID: 1_600_000_001,
            isSimulated: true,
            anchors: [try TestOffice.authority.get().root, try Self.receiptAuthority.get().root],
            api: [
                AppleSetting.issuerID: store.key.issuerID, AppleSetting.keyID: store.key.keyID,
                AppleSetting.productionAPI: store.url(), AppleSetting.sandboxAPI: store.url(of: .sandbox),
                AppleSetting.seats: "production",
            ],
            secrets: [AppleSetting.privateKey: Secret(store.key.pem)]
        )
        return catalog
    }

    /// Receives payloads as the store delivers them, and applies them.
    func receive(_ payloads: [String]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    for index in stride(from: lane, to: payloads.count, by: 8) {
                        _ = try await backOffice.receiveNotification(payloads[index], from: .apple)
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = try await worker.drain()
    }

    func reconcile(
        in environment: StoreEnvironment = .production,
        days: Int? = nil
    ) async throws -> Reconciliation? {
        let done = try await backOffice.reconcile(
            try await office.app(),
            at: .apple,
            in: environment,
            days: days,
            trigger: .command
        ) { _ = try await worker.drain() }
        _ = try await worker.drain()
        return done
    }

    /// Returns the corrections as the reconciliation's page lists them.
    func corrections(of done: Reconciliation) async throws -> [CorrectedSubscription] {
        try await office.database.read { try await $0.screens.corrections(of: done.id, limit: 1_000) }
    }

    /// Returns every row, without values that may differ.
    func books() async throws -> Set<String> {
        Set(try await office.lines(Query(unsafe: AnyOrderTests.normalised)))
    }

    func lines(_ query: Query) async throws -> [String] { try await office.lines(query) }

    func count(_ table: String) async throws -> Int { try await office.count(table) }

    private var worker: NotificationWorker { NotificationWorker(backOffice: backOffice) }
}
