import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import ServiceLifecycle
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Jobs of many apps") struct LanesTests {
    private static let apps = (0..<30).map { "app\($0)" }
    /// The apps whose store does not answer.
    private static let silent = Set(apps.prefix(25))
    private static let answersEach = 10

    @Test("while the stores of 25 of 30 apps hang, the other five's refund answers leave, each once")
    func hanging() async throws {
        try await TestOffice.run { office in
            let stores = SilentStores(silent: Self.silent)
            let gateways = StoreGateways([
                AppleGateway(transport: stores, policy: AppleRetryPolicy(pauses: [], longestWait: .seconds(60)))
            ])
            let servers = (0..<2).map { _ in office.anotherServer(secret: TestOffice.secret, gateways: gateways) }
            try await Self.prepare(office, servers[0])
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: servers.map { JobWorker(backOffice: $0) },
                    logger: servers[0].logger
                )
            )
            let running = Task { try await group.run() }
            var answered: [String] = []
            let expected = Self.apps.filter { !Self.silent.contains($0) }.map { "\($0) \(Self.answersEach)" }.sorted()
            // The silent stores end after this loop, so none of their jobs has made room for the others' by then.
            let end = ContinuousClock.now + .seconds(120)
            while ContinuousClock.now < end, answered != expected {
                try await Task.sleep(for: .milliseconds(50))
                answered = try await office.lines(Self.sent)
            }
            #expect(answered == expected)
            for app in Self.apps {
                let taken = stores.taken(for: app).filter { $0.key.contains("/consumption/") }
                #expect(taken.count == (Self.silent.contains(app) ? 0 : Self.answersEach), "\(app)")
                #expect(taken.values.allSatisfy { $0 == 1 }, "\(app)")
                // Eight answers on each server, and a reconciliation.
                #expect(stores.mostWaiting(for: app) <= 17, "\(app)")
            }
            await group.triggerGracefulShutdown()
            stores.end()
            try await running.value
            let held = try await office.lines("SELECT kind FROM jobs WHERE state = 'running'")
            #expect(held == [])
        }
    }

    @Test("a crowd of jobs of one app that wait is not in the way of the first of another's")
    func crowd() async throws {
        try await TestOffice.run { office in
            _ = try await office.backOffice.applyCatalog(try Self.catalog("app0"))
            let rows = TestScale.rounds(200_000, sampled: 20_000)
            _ = try await office.pool.withConnection { connection in
                try await connection.query(
                    """
                    INSERT INTO jobs (id, app_id, kind, subject_id, state, scheduled_at, created_at)
                    SELECT gen_random_uuid(), id, 'purchase_verification', gen_random_uuid(), 'available',
                        now() - interval '1 day', now()
                    FROM apps, generate_series(1, \(rows))
                    WHERE slug = 'readmigo'
                    """
                )
            }
            _ = try await office.pool.query(
                """
                INSERT INTO jobs (id, app_id, kind, subject_id, state, scheduled_at, created_at)
                SELECT gen_random_uuid(), id, kind, gen_random_uuid(), 'available', now(), now()
                FROM apps, unnest(ARRAY['purchase_verification', 'consumption_answer']) AS kind
                """
            )
            let leased = try await office.database.leaseJobs(
                [.purchaseVerification: 8, .consumptionAnswer: 8],
                by: UUID(),
                for: .seconds(30)
            )
            let lanes = Dictionary(grouping: leased, by: \.lane).values.map(\.count).sorted()
            #expect(lanes == [1, 1, 1, 8])
            // The crowd's lane is full; work in another lane is found at once.
            let more = try await office.database.leaseJobs(
                [.purchaseVerification: 8, .consumptionAnswer: 8],
                besides: Dictionary(grouping: leased, by: \.lane).mapValues(\.count),
                by: UUID(),
                for: .seconds(30)
            )
            #expect(more.isEmpty)
        }
    }

    @Test("what one app has to catch up on holds up no other's notifications")
    func backlog() async throws {
        try await TestOffice.run { office in
            _ = try await office.backOffice.applyCatalog(try Self.catalog("app0"))
            let other = try #require(try await Self.ids(office)["app0"])
            for number in 0..<300 {
                try await office.tell(Self.event(.subscribed, "crowd\(number)"))
            }
            try await office.tell(Self.event(.subscribed, "late"), to: other)
            let leased = try await office.database.leaseNotifications(limit: 128, by: UUID(), for: .seconds(30))
            #expect(leased.count == 65)
            #expect(leased.filter { $0.app == other }.count == 1)
            // An app that is alone has all places.
            let rest = try await office.database.leaseNotifications(limit: 128, by: UUID(), for: .seconds(30))
            #expect(rest.count == 128)
        }
    }

    /// Gives every app as many customers with consumption requests of the store to answer, and a reconciliation that is due.
    private static func prepare(_ office: TestOffice, _ server: BackOffice) async throws {
        let key = SimulatedAPIKey()
        let ada = try await office.hire("ada", .admin)
        for app in apps { _ = try await server.applyCatalog(try catalog(app, key)) }
        let ids = try await ids(office)
        for app in apps {
            for number in 0..<answersEach {
                try await office.tell(event(.subscribed, "\(app).\(number)"), to: ids[app])
            }
        }
        _ = try await NotificationWorker(backOffice: server).drain()
        for row in try await office.pool.query("SELECT id, app_id FROM customers") {
            let (customer, app) = try row.decode(Customer.ID.self, App.ID.self)
            _ = try await server.recordConsent(
                true,
                of: customer,
                app: app,
                reason: Reason(.customerRequest, "They said so in the chat."),
                key: nil,
                caller: ada
            )
        }
        for app in apps {
            for number in 0..<answersEach {
                try await office.tell(event(.refundRequested, "\(app).\(number)"), to: ids[app])
            }
        }
        _ = try await NotificationWorker(backOffice: server).drain()
        let waiting: Query = "SELECT count(*)::text FROM jobs WHERE state = 'available' AND kind = 'consumption_answer'"
        #expect(try await office.lines(waiting) == ["\(apps.count * answersEach)"])
        #expect(try await server.scheduleReconciliations() == apps.count)
    }

    private static let sent: Query = """
        SELECT concat_ws(' ', p.slug, count(*))
        FROM consumption_answers a
        JOIN refund_requests r ON r.id = a.refund_request_id
        JOIN apps p ON p.id = r.app_id
        WHERE a.state = 'sent'
        GROUP BY p.slug
        ORDER BY 1
        """

    private static func ids(_ office: TestOffice) async throws -> [String: App.ID] {
        try await office.pool.query("SELECT slug, id FROM apps").reduce(into: [:]) { ids, row in
            let (slug, id) = try row.decode(String.self, App.ID.self)
            ids[slug] = id
        }
    }

    private static func event(_ kind: StoreEvent.Kind, _ id: String) -> StoreEvent {
        StoreEvent(
            id: "\(kind.rawValue) \(id)",
            store: .apple,
            environment: .production,
            signedAt: kind == .subscribed ? TestOffice.start.addingTimeInterval(-86_400) : TestOffice.start,
            kind: kind,
            transaction: StoreTransaction(
                id: id,
                originalID: id,
                productID: "com.readmigo.pro.yearly",
                purchasedAt: TestOffice.start.addingTimeInterval(-86_400),
                expiresAt: TestOffice.start.addingTimeInterval(364 * 86_400),
                price: .yuan(128)
            )
        )
    }

    private static func catalog(_ app: String, _ key: SimulatedAPIKey? = nil) throws -> Catalog {
        var catalog = try Catalog.readmigo()
        catalog.app = app
        catalog.name = app
        catalog.accounts[.apple] = .apple(
            bundleID: app,
            appAppleID: 1_700_000_000 + (Int64(app.dropFirst(3)) ?? 0),
            isSimulated: true,
            anchors: [try TestOffice.authority.get().root],
            api: key.map { key in
                [
                    AppleSetting.issuerID: key.issuerID, AppleSetting.keyID: key.keyID,
                    AppleSetting.productionAPI: "http://store.test",
                    AppleSetting.sandboxAPI: "http://sandbox.store.test",
                ]
            } ?? [:],
            secrets: key.map { [AppleSetting.privateKey: Secret($0.pem)] } ?? [:]
        )
        catalog.consumption = ConsumptionPolicy(
            sending: .automatic,
            providesSamples: true,
            rules: [ConsumptionRule(name: "all", answer: .decline)]
        )
        return catalog
    }
}
