import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Customers near a limit") struct NearLimitTests {
    @Test("at 80 % of a limit a customer is near it, and the next day no more")
    func near() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 79)
            #expect(try await Self.near(office).isEmpty)
            try await office.count("scan", 1)
            #expect(try await Self.near(office) == ["u1 scan day 80 100"])
            #expect(try await Self.count(office) == 1)
            try await office.count("page", 3)
            #expect(try await Self.near(office) == ["u1 scan day 80 100", "u1 page lifetime 3 3"])
            #expect(try await Self.near(office, feature: "page") == ["u1 page lifetime 3 3"])
            #expect(try await Self.near(office, feature: "call").isEmpty)
            office.clock.advance(by: 86_400)
            #expect(try await Self.near(office) == ["u1 page lifetime 3 3"])
            try await office.count("scan", 1)
            #expect(try await Self.marks(office) == ["9999-12-31"])
        }
    }

    @Test("a raise, a reset and a plan with more take the customer off, and a restored limit brings them back")
    func changes() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 90)
            try await Self.change(office, .raise(by: 100, until: nil))
            #expect(try await Self.near(office).isEmpty)
            try await office.count("scan", 70)
            #expect(try await Self.near(office) == ["u1 scan day 160 200"])
            try await Self.change(office, .reset)
            #expect(try await Self.near(office).isEmpty)
            try await office.count("scan", 95)
            #expect(try await Self.near(office).isEmpty)
            #expect(try await Self.marks(office) == [])
            try await Self.change(office, .restore)
            #expect(try await Self.near(office) == ["u1 scan day 95 100"])
            try await office.give("PRO")
            #expect(try await Self.near(office).isEmpty)
            #expect(try await Self.count(office) == 0)
        }
    }

    @Test("of several windows that is shown of which the greatest share is used; without a limit nobody is near it")
    func windows() async throws {
        try await UsageOffice.run { office in
            try await office.give("PRO")
            try await office.count("call", 9)
            #expect(try await Self.near(office) == ["u1 call day 9 10"])
            for _ in 0..<2 {
                office.clock.advance(by: 86_400)
                try await office.count("call", 10)
            }
            #expect(try await Self.near(office) == ["u1 call day 10 10"])
            office.clock.advance(by: 86_400)
            #expect(try await Self.near(office) == ["u1 call month 29 30"])
            try await office.give("PREMIUM")
            #expect(try await Self.near(office).isEmpty)
        }
    }

    @Test("who was given less is noted when they are refused, with a key and without, and when they reserve")
    func refused() async throws {
        try await UsageOffice.run { office in
            for attempt in 0..<3 {
                try await office.give("PRO")
                try await office.count("scan", 150)
                #expect(try await Self.near(office).isEmpty)
                _ = try await office.office.pool.query("UPDATE grants SET ended_at = starts_at WHERE ended_at IS NULL")
                #expect(try await Self.near(office).isEmpty)
                switch attempt {
                case 0: #expect((await office.refusal("scan"))?.code == .blocked)
                case 1: #expect((await office.refusal("scan", key: "k"))?.code == .blocked)
                default:
                    let current = try await office.current()
                    await #expect(throws: OperationsError.self) {
                        try await office.backOffice.reserve("scan", for: current)
                    }
                }
                #expect(try await Self.near(office) == ["u1 scan day 150 100"])
                office.clock.advance(by: 86_400)
            }
        }
    }

    @Test("what is counted offline is judged too, though no limit holds it")
    func offline() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 10)
            try await office.count("scan", 200, at: office.clock.read())
            #expect(try await Self.near(office) == ["u1 scan day 210 100"])
            office.clock.advance(by: 86_400)
            try await office.count("scan", 200, at: office.clock.read().addingTimeInterval(-86_400))
            #expect(try await Self.near(office).isEmpty)
        }
    }

    @Test("a page goes on where the one before ended, and back")
    func pages() async throws {
        try await UsageOffice.run { office in
            for number in 0..<60 {
                let session = try await UsageOffice.session("n\(number)", office.office)
                _ = try await office.backOffice.count("scan", quantity: 80, for: session)
                if number % 3 == 0 { _ = try await office.backOffice.count("page", quantity: 3, for: session) }
            }
            var filter = NearLimitFilter()
            var seen: [String] = []
            var pages: [[String]] = []
            for _ in 0..<4 {
                let list = try await Self.list(office, filter)
                pages.append(list.rows.map(Self.line))
                seen += list.rows.map(Self.line)
                guard let next = list.next(by: filter) else { break }
                filter.position = .after(next)
            }
            #expect(pages.map(\.count) == [25, 25, 25, 5])
            #expect(Set(seen).count == 80)
            let last = try await Self.list(office, filter)
            let previous = try #require(last.previous(by: filter))
            filter.position = .before(previous)
            #expect(try await Self.list(office, filter).rows.map(Self.line) == pages[2])
            #expect(try await Self.count(office) == 80)
        }
    }

    @Test("of two who become one, what they used together is judged")
    func merged() async throws {
        try await UsageOffice.run { office in
            try await office.count("scan", 50)
            let other = try await UsageOffice.session("other", office.office)
            _ = try await office.backOffice.count("scan", quantity: 40, for: other)
            #expect(try await Self.near(office).isEmpty)
            let (app, gone, survivor) = (office.session.app, other.customer, office.session.customer)
            #expect(try await office.backOffice.mergeAnonymousCustomer(gone, into: survivor, of: app))
            #expect(try await Self.near(office) == ["u1 scan day 90 100"])
        }
    }

    private static func list(_ office: UsageOffice, _ filter: NearLimitFilter) async throws -> ListPage<NearLimit> {
        let app = office.session.app
        let zone = try #require(TimeZone(identifier: "Asia/Shanghai"))
        return try await office.office.database.readPrimary { reader in
            try await reader.usage.nearLimits(filter, app: app, zone: zone, seesPersonalData: false)
        }
    }

    /// Returns the list as `key feature window used limit`.
    private static func near(_ office: UsageOffice, feature: String? = nil) async throws -> [String] {
        try await list(office, NearLimitFilter(feature: feature)).rows.map(line)
    }

    private static func line(_ row: NearLimit) -> String {
        let (code, usage) = (row.feature.feature.code, row.usage)
        return "\(row.customer.key) \(code) \(usage.window.rawValue) \(usage.used) \(usage.limit ?? 0)"
    }

    private static func count(_ office: UsageOffice) async throws -> Int {
        let app = office.session.app
        let zone = try #require(TimeZone(identifier: "Asia/Shanghai"))
        return try await office.office.database.readPrimary { try await $0.usage.nearLimitCount(app: app, zone: zone) }
    }

    /// Returns the times until which counters are marked as near their limit.
    private static func marks(_ office: UsageOffice) async throws -> [String] {
        try await office.office.lines(
            "SELECT near_limit_until::text FROM usage_counters WHERE near_limit_until IS NOT NULL ORDER BY 1"
        )
    }

    private static func change(_ office: UsageOffice, _ command: UsageCommand) async throws {
        _ = try await office.backOffice.change(
            "scan",
            .day,
            command,
            of: office.session.customer,
            app: office.session.app,
            reason: Reason(.goodwill, "The service was down."),
            key: nil,
            caller: .commandLine
        )
    }
}
