import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("When the store's share falls from 30 to 15 %") struct PaidYearTests {
    private static func date(_ text: String) throws -> Date {
        try #require(try? Date(text + "T00:00:00Z", strategy: .iso8601))
    }

    private struct Charge {
        var start: String
        var end: String
        var refundedOn: String?
        var extendedTo: String?
        var product = "com.readmigo.pro.monthly"
    }

    /// Months that follow one another, from the first of one.
    private static func months(_ count: Int, from year: Int, _ month: Int, day: Int = 1) -> [Charge] {
        (0..<count).map { index in
            func text(_ index: Int) -> String {
                let months = year * 12 + month - 1 + index
                return "\(months / 12)-\(months % 12 < 9 ? "0" : "")\(months % 12 + 1)-\(day < 10 ? "0" : "")\(day)"
            }
            return Charge(start: text(index), end: text(index + 1))
        }
    }

    private static func events(
        _ charges: [Charge],
        storefront: String = "USA",
        group: String = "t"
    ) throws -> [StoreEvent] {
        try charges.enumerated().flatMap { index, charge in
            var sold = StoreTransaction(
                id: "\(group)\(index + 1)",
                originalID: "\(group)1",
                productID: charge.product,
                purchasedAt: try date(charge.start),
                expiresAt: try date(charge.end),
                price: Currency("USD").map { Money(minorUnits: 1_000, currency: $0) },
                reason: index == 0 ? .purchase : .renewal,
                customerToken: UUID(uuidString: "9C2F1B7E-5A40-4A4E-8D0C-6F1F3C1F0A11"),
                storefront: storefront
            )
            func event(_ kind: StoreEvent.Kind, at moment: Date) -> StoreEvent {
                StoreEvent(
                    id: "\(kind) \(group)\(index + 1)",
                    store: .apple,
                    environment: .production,
                    signedAt: moment,
                    kind: kind,
                    transaction: sold
                )
            }
            var events = [event(index == 0 ? .subscribed : .renewed, at: sold.purchasedAt)]
            if let extended = charge.extendedTo {
                sold.expiresAt = try date(extended)
                events.append(event(.renewalExtended, at: sold.purchasedAt.addingTimeInterval(60)))
            }
            if let day = charge.refundedOn {
                sold.revocation = StoreTransaction.Revocation(at: try date(day), milliPercent: 100_000)
                events.append(event(.refunded, at: try date(day)))
            }
            return events
        }
    }

    /// Arrivals in other orders than the store's.
    private static let shuffles: [UInt64?] = [nil, 1, 2]

    /// Proceeds of each month in cents: of its charges, less what it gave back.
    private static func shares(
        _ events: [StoreEvent],
        shuffled seed: UInt64? = nil,
        catalog change: (inout Catalog) -> Void = { _ in },
        after: (TestOffice) async throws -> Void = { _ in }
    ) async throws -> [String: Int64] {
        try await TestOffice.run { office in
            office.clock.set(try date("2027-06-01"))
            var catalog = try Catalog.readmigo()
            change(&catalog)
            _ = try await office.backOffice.applyCatalog(catalog)
            // Each event has its place by the remainder of a prime number's multiples.
            let arriving = seed.map { seed in
                events.enumerated().sorted { first, second in
                    (UInt64(first.offset) + seed) * 7_919 % 101 < (UInt64(second.offset) + seed) * 7_919 % 101
                }.map(\.element)
            }
            for event in arriving ?? events { try await office.live(event) }
            #expect(try await office.lines("SELECT DISTINCT state FROM store_notifications") == ["processed"])
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
            try await after(office)
            return try await proceeds(office)
        }
    }

    private static func proceeds(_ office: TestOffice) async throws -> [String: Int64] {
        let app = try await office.app()
        let question = RevenueQuery(
            filter: MetricsFilter(),
            from: BusinessDay(number: 0),
            through: BusinessDay(try date("2027-06-01"), in: .gmt),
            grain: .month
        )
        let answer = try await office.database.read { try await $0.metrics.revenue(question, app: app) }
        return Dictionary(
            answer.cells.map { (String($0.period.first.description.prefix(7)), $0.revenue.proceeds) },
            uniquingKeysWith: +
        )
    }

    @Test("(a) twelve charges and then nothing for more than 60 days: the year begins anew", arguments: shuffles)
    func lapsed(_ seed: UInt64?) async throws {
        let charges = Self.months(12, from: 2024, 1) + [Charge(start: "2025-04-15", end: "2025-05-15")]
        let shares = try await Self.shares(try Self.events(charges), shuffled: seed)
        #expect(shares["2024-12"] == 700)
        #expect(shares["2025-04"] == 700)
    }

    @Test(
        "(b) a gap of 50 days: the first at 15 % comes 50 days later than the anniversary of the first",
        arguments: shuffles
    )
    func resumed(_ seed: UInt64?) async throws {
        let charges = Self.months(6, from: 2024, 1) + Self.months(8, from: 2024, 8, day: 20)
        let shares = try await Self.shares(try Self.events(charges), shuffled: seed)
        #expect(["2024-08", "2025-01", "2025-02", "2025-03"].map { shares[$0] } == [700, 700, 850, 850])
    }

    @Test(
        "(c) three of twelve charges were refunded in full: the 13th to 15th are still 30 %, and the refunds have the share of their charges",
        arguments: shuffles
    )
    func refunded(_ seed: UInt64?) async throws {
        var charges = Self.months(16, from: 2024, 1)
        for index in [0, 1, 2] { charges[index].refundedOn = "2025-05-20" }
        let shares = try await Self.shares(try Self.events(charges), shuffled: seed)
        #expect(
            ["2024-12", "2025-01", "2025-02", "2025-03", "2025-04", "2025-05"].map { shares[$0] }
                == [700, 700, 700, 700, 850, -3 * 700]
        )
    }

    @Test("what a refund moves back into the first year is moved on the day on which that was known")
    func moved() async throws {
        var charges = Self.months(15, from: 2024, 1)
        for index in [0, 1, 2] { charges[index].refundedOn = "2025-05-20" }
        let events = try Self.events(charges)
        let known = events.filter { $0.kind != .refunded } + events.filter { $0.kind == .refunded }
        let shares = try await Self.shares(known) { _ in
        } after: { office in
            let moved = try await office.lines("SELECT year_before || ' to ' || year_after FROM paid_year_changes")
            #expect(moved == ["1 to 0", "1 to 0", "1 to 0"])
            let days = try await office.lines(
                """
                SELECT DISTINCT concat_ws(' ', o.transaction_id, o.paid_days)
                FROM paid_year_changes c JOIN orders o ON o.id = c.order_id
                ORDER BY 1
                """
            )
            #expect(days == ["t13 275", "t14 306", "t15 334"])
        }
        #expect(["2025-01", "2025-02", "2025-03", "2025-05"].map { shares[$0] } == [700, 700, 700, -3 * 700])
    }

    @Test("what stood in the books before days were counted has them since then")
    func migration() async throws {
        let migration = try #require(Schema.migrator.migrations.first { $0.name.hasPrefix("0125") })
        let count = try #require(migration.sql.components(separatedBy: ";\n").first { $0.contains("UPDATE orders o") })
        var charges =
            Self.months(12, from: 2024, 1) + Self.months(8, from: 2025, 2, day: 20)
            + Self.months(3, from: 2025, 12, day: 25)
        charges[3].refundedOn = "2024-06-20"
        charges[15].refundedOn = "2025-05-25"
        _ = try await Self.shares(try Self.events(charges)) { _ in
        } after: { office in
            let days: Query = "SELECT transaction_id || ' ' || paid_days FROM orders ORDER BY purchased_at"
            let told = try await office.lines(days)
            _ = try await office.pool.query("ALTER TABLE orders DISABLE TRIGGER rollups_follow_paid_years")
            _ = try await office.pool.query("UPDATE orders SET paid_days = 0")
            _ = try await office.pool.query(Query(unsafe: count))
            let counted = try await office.lines(days)
            #expect(counted == told)
            #expect(Set(told).count == 23)
            _ = try await office.pool.query("ALTER TABLE orders ENABLE TRIGGER rollups_follow_paid_years")
        }
    }

    @Test("a refund that was taken back on the day on which the year moved between them is counted again as it was")
    func movedBetween() async throws {
        let charges = try Self.events(Self.months(13, from: 2024, 1))
        let last = try #require(charges.last)
        func told(_ kind: StoreEvent.Kind, _ day: String, isRefund: Bool) throws -> StoreEvent {
            var event = last
            (event.kind, event.id, event.signedAt) = (kind, "\(kind) \(day)", try Self.date(day))
            event.transaction.revocation =
                isRefund ? StoreTransaction.Revocation(at: try Self.date(day), milliPercent: 100_000) : nil
            return event
        }
        let refunds = [
            try told(.refunded, "2025-01-10", isRefund: true), charges[0],
            try told(.refundReversed, "2025-01-12", isRefund: false),
            try told(.refunded, "2025-01-14", isRefund: true),
        ]
        try await TestOffice.run { office in
            office.clock.set(try Self.date("2027-06-01"))
            for event in charges.dropFirst() + refunds {
                office.clock.advance(by: 1)
                try await office.live(event)
            }
            let moved = try await office.lines("SELECT year_before || ' to ' || year_after FROM paid_year_changes")
            #expect(moved == ["0 to 1"])
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
            #expect(try await Self.proceeds(office)["2025-01"] == 0)
        }
    }

    @Test("without a gap and a refund the 13th charge is the first at 15 %")
    func straight() async throws {
        let shares = try await Self.shares(try Self.events(Self.months(14, from: 2024, 1)))
        #expect(["2024-12", "2025-01", "2025-02"].map { shares[$0] } == [700, 850, 850])
    }

    @Test("days are of the group: another product of it goes on, another group begins at 0")
    func group() async throws {
        let year = Self.months(12, from: 2024, 1)
        let crossgrade = Charge(start: "2025-01-01", end: "2026-01-01", product: "com.readmigo.pro.yearly")
        #expect(try await Self.shares(try Self.events(year + [crossgrade]))["2025-01"] == 850)
        let another = try Self.events([Charge(start: "2025-01-01", end: "2025-02-01")], group: "u")
        #expect(try await Self.shares(try Self.events(year) + another)["2025-01"] == 700)
    }

    @Test("an extension has no days that were paid for", arguments: [nil, 7])
    func extended(_ seed: UInt64?) async throws {
        var charges = Self.months(12, from: 2024, 1)
        charges[11] = Charge(start: "2024-12-01", end: "2024-12-25", extendedTo: "2025-01-20")
        charges.append(Charge(start: "2025-01-20", end: "2025-02-20"))
        #expect(try await Self.shares(try Self.events(charges), shuffled: seed)["2025-01"] == 700)
    }

    @Test(
        "in mainland China it is 25 and 12 % of what is charged since March 15, 2026, of an app that is sold on iOS alone"
    )
    func china() async throws {
        var charges = Self.months(14, from: 2025, 12, day: 20)
        charges[0].refundedOn = "2026-04-01"
        let events = try Self.events(charges, storefront: "CHN")
        let shares = try await Self.shares(events, shuffled: 5) { $0.fees = [.apple: StoreFee(isOnIOSOnly: true)] }
        // The refund of December's charge has December's terms, and its month no days.
        #expect(["2026-02", "2026-03", "2026-04"].map { shares[$0] } == [700, 750, 50])
        #expect(["2026-12", "2027-01"].map { shares[$0] } == [750, 880])
        #expect(try await Self.shares(events)["2026-05"] == 700, "nobody said that it is sold on iOS alone")
    }

    @Test("terms begin at midnight in UTC: the instant before is under those of the world", arguments: StoreTerms.usual)
    func border(_ terms: StoreTerms) async throws {
        try await TestOffice.run { office in
            func number(_ storefront: String?, _ moment: Date) async throws -> Int16? {
                try await office.pool.query(
                    "SELECT usual_store_terms(\(terms.store.rawValue), \(storefront), \(moment))"
                ).first?.decode(0, as: Int16.self)
            }
            let since = try #require(terms.since)
            for storefront in terms.storefronts {
                #expect(try await number(storefront, since) == Int16(terms.number), "\(storefront)")
                #expect(try await number(storefront, since.addingTimeInterval(-0.001)) == 0, "\(storefront)")
            }
            #expect(try await number("USA", since) == 0)
            #expect(try await number(nil, since) == 0)
        }
    }

    @Test("a catalogue's own rows take the place of the product's, from their dates on, and what was booked follows")
    func catalogue() async throws {
        let charges = try Self.events(Self.months(6, from: 2026, 1), storefront: "JPN")
        func terms(_ number: Int, _ since: String, _ firstYear: Int) throws -> StoreTerms {
            StoreTerms(
                number: number,
                store: .apple,
                storefronts: ["JPN"],
                since: try Self.date(since),
                share: StoreFee.Share(firstYear: firstYear, later: 1_000)
            )
        }
        let own = [try terms(100, "2026-02-01", 2_000), try terms(101, "2026-05-01", 1_000)]
        let shares = try await Self.shares(charges) { _ in
        } after: { office in
            #expect(try await Self.proceeds(office)["2026-05"] == 740)
            var catalog = try Catalog.readmigo()
            catalog.fees = [.apple: StoreFee(storefronts: own)]
            #expect(
                try await office.backOffice.applyCatalog(catalog).changes == [
                    """
                    changed fees of apple from 30 %, after a year 15 % to 30 %, after a year 15 %; \
                    JPN since 2026-02-01 20 %, after a year 10 %; JPN since 2026-05-01 10 %
                    """
                ]
            )
            #expect(try await office.backOffice.applyCatalog(catalog).changes == [])
            #expect(try await office.lines("SELECT metrics_version::text FROM apps") == ["0"])
            _ = try await office.backOffice.recountRollups()
            _ = try await office.backOffice.foldRollups()
        }
        #expect(["2026-01", "2026-02", "2026-04", "2026-05"].map { shares[$0] } == [700, 800, 800, 900])
    }
}
