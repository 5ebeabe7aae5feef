import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import Testing

@Suite("views of lists, kept") struct KeepViewsTests {
    private static let command = ViewCommand(
        name: "Refunds",
        list: .orders,
        query: "?status=refunded",
        columns: ColumnChoice([.amount, .status], of: .orders),
        isShared: false
    )

    @Test("a view keeps filters and columns, once for each key, and comes back as it was")
    func save() async throws {
        try await TestOffice.run { office in
            let (app, ada) = (try await office.app(), try await office.staff("ada@example.com", .support))
            let key = try office.key("k", ada)
            let first = try await office.backOffice.saveView(Self.command, app: app, key: key, caller: ada)
            let second = try await office.backOffice.saveView(Self.command, app: app, key: key, caller: ada)
            #expect(first.result == second.result && second.isRepeated)
            let views = try await Self.settings(office, ada).views
            #expect(views.map(\.name) == ["Refunds"] && views.first?.query == "?status=refunded")
            #expect(views.first?.columns == Self.command.columns)
            #expect(try await office.lines(Self.entries) == [#"view.save - "Refunds""#])
        }
    }

    @Test("a name is one's own once for each list, in whichever form it was typed, and others may have it too")
    func names() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let (ada, bob) = (
                try await office.staff("ada@example.com", .support), try await office.staff("bob@example.com", .analyst)
            )
            func save(_ name: String, _ list: ListName = .orders, by caller: Caller) async throws {
                var command = Self.command
                (command.name, command.list) = (name, list)
                _ = try await office.backOffice.saveView(command, app: app, key: nil, caller: caller)
            }
            try await save("Gülay", by: ada)
            try await save("Gülay", by: bob)
            try await save("Gülay", .refunds, by: ada)
            for name in [" Gu\u{308}lay ", "", "\n", String(repeating: "a", count: 61)] {
                let error = await #expect(throws: OperationsError.self) { try await save(name, by: ada) }
                #expect(error?.code == .invalid && error?.field == "name")
            }
            try await save("Other", by: ada)
            let other = try #require(try await Self.settings(office, ada).views.last)
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.changeView(
                    other.id,
                    name: "Gülay",
                    isShared: true,
                    app: app,
                    key: nil,
                    caller: ada
                )
            }
            #expect(error?.problems == [FieldProblem("name", .taken)])
            #expect(try await Self.settings(office, bob).views.map(\.name) == ["Gülay"])
        }
    }

    @Test("fifty views of a list are enough for one person")
    func most() async throws {
        try await TestOffice.run { office in
            let (app, ada) = (try await office.app(), try await office.staff("ada@example.com", .support))
            for number in 1...ViewCommand.mostPerList {
                var command = Self.command
                command.name = "\(number)"
                _ = try await office.backOffice.saveView(command, app: app, key: nil, caller: ada)
            }
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.saveView(Self.command, app: app, key: nil, caller: ada)
            }
            #expect(error?.code == .conflict)
        }
    }

    @Test("only the owner changes a view; an admin deletes what is shared and nothing else")
    func rights() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let (ada, admin) = (
                try await office.staff("ada@example.com", .support), try await office.staff("eve@example.com", .admin)
            )
            let outcome = try await office.backOffice.saveView(Self.command, app: app, key: nil, caller: ada)
            let id = try #require(SavedView.ID(outcome.result))
            func change(_ caller: Caller) async throws {
                _ = try await office.backOffice.changeView(
                    id,
                    name: "Ours",
                    isShared: true,
                    app: app,
                    key: nil,
                    caller: caller
                )
            }
            func delete(_ caller: Caller) async throws {
                _ = try await office.backOffice.deleteView(id, app: app, key: nil, caller: caller)
            }
            for action in [change, delete] {
                let error = await #expect(throws: OperationsError.self) { try await action(admin) }
                #expect(error?.code == .forbidden)
            }
            try await change(ada)
            try await delete(admin)
            let error = await #expect(throws: OperationsError.self) { try await delete(ada) }
            #expect(error?.code == .notFound)
            #expect(
                try await office.lines(Self.entries) == [
                    #"view.save - "Refunds""#, #"view.change "Refunds" "Ours""#, #"view.delete "Ours" -"#,
                ]
            )
        }
    }

    @Test("chosen columns are each person's own for each list, and the same choice again is no entry")
    func columns() async throws {
        try await TestOffice.run { office in
            let (ada, bob) = (
                try await office.staff("ada@example.com", .support), try await office.staff("bob@example.com", .analyst)
            )
            let few = ColumnChoice([.amount, .uuid], of: .orders)
            for _ in 1...2 { try await office.backOffice.chooseColumns(few, caller: ada) }
            #expect(try await Self.settings(office, ada).columns?.columns == [.amount])
            #expect(try await Self.settings(office, ada, .customers).columns == nil)
            #expect(try await Self.settings(office, bob).columns == nil)
            try await office.backOffice.chooseColumns(ColumnChoice([], of: .orders), caller: ada)
            #expect(try await Self.settings(office, ada).columns == ColumnChoice([], of: .orders))
            let entries = try await office.lines("SELECT action FROM audit_entries WHERE action = 'list.columns'")
            #expect(entries.count == 2)
        }
    }

    @Test(
        "a list of customers, and of subscriptions, becomes the lines of a job: each customer once, in the list's order"
    )
    func bulk() async throws {
        try await TestOffice.run { office in
            let (app, ada) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let (buyer, _) = try await office.buyer()
            _ = try await office.pool.query(
                """
                INSERT INTO customers (id, app_id, key, created_at)
                SELECT gen_random_uuid(), \(app), 'k' || i, \(TestOffice.start)::timestamptz - i * interval '1 hour'
                FROM generate_series(1, 5001) i
                """
            )
            _ = try await office.pool.query(
                """
                INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state,
                    created_at, updated_at)
                SELECT gen_random_uuid(), \(app), c.id, 'apple', 'production', c.key || '/' || i, 'expired',
                    c.created_at, c.created_at
                FROM customers c, generate_series(1, 2) i
                WHERE c.key LIKE 'k%'
                """
            )
            let oldest = CustomerFilter(search: "", direction: .ascending)
            let lines = try await Self.lines(office, ada, .customers(oldest, zone: .gmt), "Everybody")
            #expect(lines.count == 5_002 && Set(lines).count == 5_002)
            #expect(lines.first == (try await office.lines("SELECT id::text FROM customers WHERE key = 'k5001'")).first)
            let active = SubscriptionFilter(state: .active)
            #expect(try await Self.lines(office, ada, .subscriptions(active), "Active") == [buyer.description])
            let expired = try await Self.lines(office, ada, .subscriptions(SubscriptionFilter(state: .expired)), "Gone")
            #expect(expired.count == 5_001 && Set(expired).count == 5_001)
            #expect(
                expired.first == (try await office.lines("SELECT id::text FROM customers WHERE key = 'k1'")).first
            )
            _ = try await JobWorker(backOffice: office.backOffice).drain()
            let jobs = try await office.database.readPrimary { try await $0.bulk.jobs(of: app, after: nil, limit: 10) }
            let origins = jobs.map { $0.origin?.shown(to: Caller.commandLine) }
            #expect(Set(origins) == ["Everybody", "Active", "Gone"])
            #expect(jobs.allSatisfy { $0.state == .ready && $0.originList != nil })
        }
    }

    @Test("a list with nobody in it, or with more than a hundred thousand customers, is no job")
    func tooFewAndTooMany() async throws {
        try await TestOffice.run { office in
            let (app, ada) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            func problem() async -> FieldProblem? {
                let error = await #expect(throws: OperationsError.self) {
                    try await Self.lines(office, ada, .customers(CustomerFilter(), zone: .gmt), "Everybody")
                }
                return error?.problems.first
            }
            #expect(await problem() == FieldProblem("view", .empty))
            try await office.pool.withTransaction { connection in
                // The rows are only counted: their triggers would take a minute on a busy machine.
                _ = try await connection.query("SET LOCAL session_replication_role = replica")
                _ = try await connection.query(
                    """
                    INSERT INTO customers (id, app_id, key, created_at)
                    SELECT gen_random_uuid(), \(app), 'k' || i, now() FROM generate_series(1, 100001) i
                    """
                )
            }
            #expect(await problem() == FieldProblem("view", .tooLarge("100,000")))
            #expect(try await office.count("bulk_jobs") == 0)
        }
    }

    @discardableResult
    private static func lines(
        _ office: TestOffice,
        _ caller: Caller,
        _ list: BulkList,
        _ name: String
    ) async throws -> [String] {
        let request = BulkRequest(kind: .grant, plan: "PRO", days: 7, lines: [], list: list, origin: name)
        let outcome = try await office.backOffice.requestBulk(
            request,
            of: try await office.app(),
            reason: BulkJobTests.reason,
            key: nil,
            caller: caller
        )
        return try await office.lines(
            "SELECT input FROM bulk_job_items WHERE job_id::text = \(outcome.result) ORDER BY line"
        )
    }

    private static func settings(
        _ office: TestOffice,
        _ caller: Caller,
        _ list: ListName = .orders
    ) async throws -> ListSettings {
        let app = try await office.app()
        let staff = try #require(caller.staff)
        return try await office.database.read {
            try await $0.ask($0.savedViews.settings(of: list, app: app, staff: staff, seesPersonalData: true))
        }
    }

    private static var entries: Query {
        """
        SELECT concat_ws(' ', action, coalesce((before->'name')::text, '-'), coalesce((after->'name')::text, '-'))
        FROM audit_entries e
        JOIN audit_chain c ON c.entry_id = e.id
        WHERE object_type = 'view'
        ORDER BY c.number
        """
    }
}
