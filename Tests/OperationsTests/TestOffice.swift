import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Synchronization
import TestSupport

/// A back office with its own database, one app at the simulated store, and a clock that stands still.
struct TestOffice: Sendable {
    static let start = Date(timeIntervalSince1970: 1_767_225_600)
    /// An authority made once, for keys are slow to make.
    static let authority = Result { try TestAuthority() }

    let pool: Pool
    let database: Database
    let inbox: NotificationInbox
    let backOffice: BackOffice
    let worker: NotificationWorker
    let clock: TestClock

    /// Runs a test with the readmigo catalogue applied and the inbox open.
    static func run<Value: Sendable>(
        configure: (inout PoolConfiguration) -> Void = { _ in },
        queueLimit: Int = 5_000,
        opensInbox: Bool = true,
        recordingTime: RecordingTime = .whenApplied,
        _ body: (TestOffice) async throws -> Value
    ) async throws -> Value {
        try await withDatabase(template: template, configure: configure) { pool in
            let clock = TestClock(start)
            let database = Database(writing: pool, reading: pool, clock: clock.read, doorTimeout: .patient)
            let inbox = NotificationInbox(database: database, queueLimit: queueLimit, patience: .seconds(60))
            let backOffice = BackOffice(
                database: database,
                inbox: inbox,
                logger: .quiet,
                passwordCost: .ofTests,
                recordingTime: recordingTime
            )
            let office = TestOffice(
                pool: pool,
                database: database,
                inbox: inbox,
                backOffice: backOffice,
                worker: NotificationWorker(backOffice: backOffice),
                clock: clock
            )
            let running = Task { if opensInbox { try await inbox.run() } }
            defer { running.cancel() }
            return try await body(office)
        }
    }

    private static let template = DatabaseTemplate(Schema.migrator.migrations, filled: "TestOffice") { pool in
        let database = Database(writing: pool, reading: pool, clock: { start }, doorTimeout: .patient)
        let inbox = NotificationInbox(database: database)
        let backOffice = BackOffice(database: database, inbox: inbox, logger: .quiet)
        _ = try await backOffice.applyCatalog(try .readmigo())
    }

    /// The secret of installations that seal values.
    static let secret = "a secret of this test, and of it alone"

    /// Returns another server of the installation: the same database, and empty caches.
    ///
    /// - Parameter secret: the installation's secret; nil where nothing can be sealed.
    func anotherServer(
        secret: String? = nil,
        gateways: StoreGateways = .shipped,
        rateLimits: RateLimits = .standard,
        storeAddresses: StoreAddresses = .none
    ) -> BackOffice {
        BackOffice(
            database: database,
            inbox: inbox,
            logger: .quiet,
            gateways: gateways,
            cipher: secret.map { FieldCipher(secret: Array($0.utf8)) },
            passwordCost: .ofTests,
            rateLimits: rateLimits,
            storeAddresses: storeAddresses
        )
    }

    /// Runs all jobs that are due.
    func workOffJobs() async throws {
        _ = try await JobWorker(backOffice: backOffice).drain()
    }

    /// Leases the bulk job that is due, as a worker does.
    func leaseBulk(by worker: UUID = UUID()) async throws -> LeasedJob? {
        try await database.leaseJobs([.bulkJob: 1], by: worker, for: .seconds(30)).first
    }

    /// Stores events in the inbox as pending notifications, in the order given.
    func tell(_ events: StoreEvent..., to receiver: App.ID? = nil) async throws {
        let app = if let receiver { receiver } else { try await app() }
        for event in events {
            let notification = ReceivedNotification(
                id: Identifier(database.newUUID()),
                app: app,
                store: event.store,
                environment: event.environment,
                notificationUUID: event.id,
                type: event.kind.rawValue,
                subtype: nil,
                signedAt: event.signedAt,
                receivedAt: database.now,
                signedPayload: "a.b.c",
                content: .event(event)
            )
            _ = try await database.insert([notification])
        }
    }

    /// Stores events one by one, and applies each before the next.
    func live(_ events: StoreEvent...) async throws {
        for event in events {
            try await tell(event)
            _ = try await worker.drain()
        }
    }

    func lease(by worker: UUID = UUID()) async throws -> LeasedNotification? {
        try await database.leaseNotifications(limit: 1, by: worker, for: .seconds(30)).first
    }

    func app() async throws -> App.ID {
        let row = try await pool.query("SELECT id FROM apps WHERE slug = 'readmigo'").first
        return try row?.decode(0, as: App.ID.self) ?? Identifier(UUID())
    }

    /// Returns the rows of a query that returns one text each.
    func lines(_ query: Query) async throws -> [String] {
        try await pool.query(query).map { try $0.decode(0, as: String.self) }
    }

    func count(_ table: String) async throws -> Int {
        try await pool.query("SELECT count(*) FROM \(unsafe: table)").first?.decode(0, as: Int.self) ?? -1
    }
}

extension PasswordHash.Cost {
    /// The lowest cost that is accepted: few tests are about the cost of a guess.
    static let ofTests = Self(logRounds: 10, blockSize: 8, parallelism: 1)
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let moment: Mutex<Date>

    init(_ start: Date) {
        moment = Mutex(start)
    }

    var read: @Sendable () -> Date { { self.moment.withLock { $0 } } }

    func set(_ date: Date) {
        moment.withLock { $0 = date }
    }

    func advance(by seconds: TimeInterval) {
        moment.withLock { $0 += seconds }
    }
}
