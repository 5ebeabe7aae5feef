import Billing
import Foundation
import Gateways
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Synchronization
import TestSupport

@testable import Desk
@testable import HTTP
@testable import Web

/// The whole site over a database of its own, with a clock that the test moves.
struct TestSite: Sendable {
    static let password = "correct horse battery"
    static let firstMoment = Date(timeIntervalSince1970: 1_795_228_800)

    let pool: Pool
    let backOffice: BackOffice
    let clock: TestClock
    let map: RouteMap
    let registry: PrometheusRegistry
    let app: any ApplicationProtocol

    /// Runs a test on a site with two apps and no account.
    static func run(
        publicURL: String? = nil,
        metricsToken: String? = nil,
        trustedProxies: TrustedProxies = .none,
        deadlines: ConnectionDeadlines = ConnectionDeadlines(),
        limits: ConnectionLimits = ConnectionLimits(),
        acquireTimeout: Duration = .seconds(30),
        lockTimeout: Duration? = nil,
        passwordCost: PasswordHash.Cost = .ofTests,
        passwords: PasswordThreads = .shared,
        readiness: @escaping @Sendable () async -> Readiness = { .ready },
        receive: (@Sendable (String) async throws -> Void)? = nil,
        gateways: StoreGateways = .shipped,
        rateLimits: RateLimits = .off,
        requiredTwoFactor: Set<StaffRole> = [],
        logger: Logger = .quiet,
        _ body: @Sendable (TestSite) async throws -> Void
    ) async throws {
        try await AsyncSemaphore.sites.pass {
            // Many sites share one machine and one PostgreSQL.
            func modest(_ configuration: inout PoolConfiguration) {
                configuration.sharedConnections = 2
                configuration.exclusiveConnections = 6
                configuration.acquireTimeout = acquireTimeout
                configuration.lockTimeout = lockTimeout
            }
            try await withDatabase(template: template, configure: modest) { pool in
                let clock = TestClock()
                let database = Database(
                    writing: pool,
                    reading: pool,
                    clock: clock.read,
                    doorTimeout: .patient
                )
                let backOffice = BackOffice(
                    database: database,
                    inbox: NotificationInbox(database: database, patience: .seconds(60)),
                    logger: logger,
                    gateways: gateways,
                    cipher: FieldCipher(secret: Array("a secret of this test, and of it alone".utf8)),
                    passwordCost: passwordCost,
                    passwords: passwords,
                    rateLimits: rateLimits
                )
                let configuration = try WebConfiguration(
                    port: 0,
                    publicURL: publicURL,
                    metricsToken: metricsToken,
                    trustedProxies: trustedProxies,
                    deadlines: deadlines,
                    requiredTwoFactor: requiredTwoFactor
                )
                let registry = PrometheusRegistry()
                let site = RouteBuilder(
                    backOffice: backOffice,
                    configuration: configuration,
                    metrics: registry,
                    readiness: readiness,
                    receive: receive
                )
                let app = Application(
                    router: site.router,
                    server: .guarded(deadlines: deadlines, limits: limits),
                    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
                    logger: logger
                )
                let test = TestSite(
                    pool: pool,
                    backOffice: backOffice,
                    clock: clock,
                    map: site.map,
                    registry: registry,
                    app: app
                )
                try await body(test)
            }
        }
    }

    /// Adds an account of each role: `admin@example.com`, `support@example.com`, `analyst@example.com`.
    func addStaff(_ roles: StaffRole...) async throws {
        for role in roles {
            try await backOffice.addStaff(
                email: "\(role.rawValue)@example.com",
                name: "Ada \(role.rawValue)",
                role: role,
                password: Self.password,
                caller: .commandLine
            )
        }
    }

    /// Returns the second factor of an account, as its authenticator app has it.
    func totp(of email: String) async throws -> TOTP {
        let staff = try await backOffice.staff(email)
        guard case .begun(let totp) = try await backOffice.twoFactor(of: staff.id) else {
            throw WebError(.notFound, "Nothing was begun.")
        }
        return totp
    }

    /// Returns the code that the authenticator app shows now.
    func code(_ totp: TOTP, later steps: Int64 = 0) -> String {
        totp.code(at: TOTP.step(at: clock.read()) + steps)
    }

    /// Adds a person who sees some apps only, or all; returns their address.
    func addPerson(_ role: StaffRole, apps: [String]?) async throws -> String {
        let email = "\(role.rawValue)-of-\(apps?.joined(separator: "-") ?? "all")@example.com"
        try await backOffice.addStaff(
            email: email,
            name: "Ada",
            role: role,
            password: Self.password,
            caller: .commandLine
        )
        let access = StaffChange.apps(apps)
        try await backOffice.change(email, access)
        return email
    }

    func token(of role: StaffRole, expiresAt: Date? = nil) async throws -> IssuedToken {
        try await backOffice.issueToken(
            named: "test",
            of: "\(role.rawValue)@example.com",
            expiresAt: expiresAt,
            caller: .commandLine
        )
    }

    /// Returns the status of a program's call.
    func call(_ method: HTTPRequest.Method, _ path: String, _ token: String) async throws -> HTTPResponse.Status {
        let answer = Mutex(HTTPResponse.Status.notImplemented)
        try await app.test(.router) { client async throws in
            let response = try await client.executeRequest(
                uri: path,
                method: method,
                headers: [.authorization: "Bearer \(token)"],
                body: nil
            )
            answer.withLock { $0 = response.status }
        }
        return answer.withLock { $0 }
    }

    func count(_ table: String) async throws -> Int {
        try await pool.query("SELECT count(*) FROM \(unsafe: table)").first?.decode(0, as: Int.self) ?? -1
    }

    /// Returns the audit log's actions, oldest first.
    func audit() async throws -> [String] {
        try await pool.query(
            "SELECT e.action FROM audit_entries e JOIN audit_chain c ON c.entry_id = e.id ORDER BY c.number"
        ).map { try $0.decode(0, as: String.self) }
    }

    /// Refuses new connections to the database, and ends the open ones.
    func breakDatabase() async throws {
        let name = try await pool.query("SELECT current_database()").first?.decode(0, as: String.self) ?? ""
        let outside = PoolConfiguration.patient(
            try await TestCluster.shared.cluster().connectionString(database: "postgres")
        )
        try await withPool(outside) { outside in
            try await outside.withConnection { connection in
                try await connection.execute(script: "ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
                _ = try await connection.query(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = \(name)"
                )
            }
        }
    }

    /// Returns the number of rows of every table that a refused request must leave alone.
    func rowCounts() async throws -> [Int] {
        var counts: [Int] = []
        for table in [
            "staff", "staff_sessions", "staff_tokens", "app_keys", "promo_batches", "store_notifications", "orders",
            "audit_entries",
        ] {
            counts.append(try await count(table))
        }
        return counts
    }

    private static let template = DatabaseTemplate(Schema.migrator.migrations, filled: "TestSite") { pool in
        try await pool.withConnection { try await $0.execute(script: apps) }
    }

    private static let apps = """
        INSERT INTO apps (id, slug, name, time_zone, reporting_currency, created_at, updated_at) VALUES
            ('00000000-0000-7000-8000-000000000001', 'readmigo', 'Readmigo', 'Asia/Shanghai', 'CNY', now(), now()),
            ('00000000-0000-7000-8000-000000000002', 'kombin', 'Kombin', 'Europe/Istanbul', 'TRY', now(), now());
        """
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let moment = Mutex(TestSite.firstMoment)

    var read: @Sendable () -> Date { { self.moment.withLock { $0 } } }

    func advance(by seconds: TimeInterval) {
        moment.withLock { $0 += seconds }
    }
}

extension PasswordHash.Cost {
    /// The lowest cost that is accepted: most tests sign in, and few are about that cost.
    static let ofTests = Self(logRounds: 10, blockSize: 8, parallelism: 1)
}
