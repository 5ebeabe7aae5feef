import Billing
import Foundation
import Postgres
import Storage
import Testing

@Suite("The list of orders") struct OrderListTests {
    @Test(
        "every order comes once, in order, walking forward and back, whatever the sort and filter",
        arguments: [OrderFilter.Sort.created, .amount],
        [SortDirection.descending, .ascending]
    )
    func walk(_ sort: OrderFilter.Sort, _ direction: SortDirection) async throws {
        try await ScreenSamples.with(orders: 137) { database, _ in
            for status in [nil, OrderStatus.completed, .refunded] {
                let counts = CappedCounts()
                let expected = (0..<137).filter { status == nil || ScreenSamples.status($0) == status }.sorted { a, b in
                    let isBefore =
                        switch sort {
                        case .created: (date(a), key(a)) < (date(b), key(b))
                        case .amount: (ScreenSamples.amount(a), key(a)) < (ScreenSamples.amount(b), key(b))
                        }
                    return direction == .ascending ? isBefore : !isBefore && a != b
                }.map { ScreenSamples.id(1_000 + $0) }
                var filter = OrderFilter(status: status, sort: sort, direction: direction)
                var pages: [[UUID]] = []
                while true {
                    let list = try await orders(filter, database, counts)
                    #expect(list.total == .exact(expected.count))
                    #expect(list.rowsBefore == pages.joined().count)
                    #expect(list.hasPrevious == !pages.isEmpty)
                    pages.append(list.rows.map(\.id))
                    guard list.hasNext, let last = list.rows.last else { break }
                    filter.position = .after(filter.cursor(at: last, rowsBefore: list.rowsBefore + list.rows.count))
                }
                #expect(Array(pages.joined()) == expected)
                for page in pages.indices.dropLast().reversed() {
                    let current = try await orders(filter, database, counts)
                    let first = try #require(current.rows.first)
                    filter.position = .before(filter.cursor(at: first, rowsBefore: current.rowsBefore))
                    let list = try await orders(filter, database, counts)
                    #expect(list.rows.map(\.id) == pages[page])
                    #expect(list.rowsBefore == page * 25 && list.hasNext && list.hasPrevious == (page > 0))
                }
            }
        }
    }

    @Test("a cursor behind the end, or short of a first page, starts over")
    func stale() async throws {
        try await ScreenSamples.with(orders: 30) { database, _ in
            let old = PageCursor(kind: .orderCreated, value: 0, id: ScreenSamples.id(1), rowsBefore: 30)
            #expect(try await orders(OrderFilter(position: .after(old)), database).startsOver)
            let row = try #require(try await orders(OrderFilter(), database).rows.dropFirst(3).first)
            let third = OrderFilter().cursor(at: row, rowsBefore: 3)
            #expect(try await orders(OrderFilter(position: .before(third)), database).startsOver)
            #expect(!(try await orders(OrderFilter(), database).startsOver))
        }
    }

    @Test(
        "a search finds parts of ids, names and addresses, in Turkish and Chinese, and takes LIKE's signs literally",
        arguments: [
            ("ibrahim", 3), ("İBRAHİM", 3), ("ıbrahım", 3), ("çelik", 3), ("lina@", 3), ("李娜", 3), ("李", 0),
            ("user-2", 3),
            ("3000000000100003", 1), ("00000100004", 1), ("ord-20261121-1005", 1), ("ORD-202611", 10), ("ORD-2025", 0),
            ("100%", 2), ("o_brien", 2), ("100_", 0), ("%", 0), ("_", 0), ("\\", 0), ("yearly", 10), ("nobody", 0),
            ("apple:2000", 2), ("' OR 1=1 --", 0), ("121-1005", 1), ("20261121-1005", 1), ("21-1005", 1),
            ("20-1005", 0),
            ("121-100", 10), ("121-10050", 0),
        ]
    )
    func search(_ text: String, _ count: Int) async throws {
        try await ScreenSamples.with(orders: 10) { database, _ in
            let list = try await orders(OrderFilter(search: text), database)
            #expect(list.rows.count == count && list.total == .exact(count))
        }
    }

    @Test("what can be a part of an order number is found among Google's ids, too")
    func google() async throws {
        try await ScreenSamples.with(orders: 3) { database, pool in
            _ = try await pool.query(
                """
                UPDATE orders SET store = 'google', transaction_id = 'GPA.3345-1234-1121-1001'
                WHERE number = 'ORD-20261121-1002'
                """
            )
            let found = try await orders(OrderFilter(search: "1121-1001"), database).rows.map(\.number)
            #expect(found == ["ORD-20261121-1002", "ORD-20261121-1001"])
        }
    }

    @Test("without personal data neither names nor addresses come out, nor can they be searched")
    func analyst() async throws {
        try await ScreenSamples.with(orders: 10) { database, _ in
            let all = try await orders(OrderFilter(), database, seesPersonalData: false)
            #expect(all.rows.count == 10 && all.rows.allSatisfy { $0.customerName == nil && $0.customerEmail == nil })
            for text in ["lina", "李娜", "example.com"] {
                #expect(try await orders(OrderFilter(search: text), database, seesPersonalData: false).rows.isEmpty)
            }
            let order = try await database.read {
                try await $0.screens.order(
                    number: "ORD-20261121-1000",
                    app: ScreenSamples.app,
                    seesPersonalData: false
                )
            }
            #expect(order?.customer.name == nil && order?.customer.email == nil && order?.customer.key == "key-0")
        }
    }

    @Test("an app's list holds nothing of another app")
    func tenants() async throws {
        try await ScreenSamples.with(orders: 3) { database, _ in
            #expect(try await orders(OrderFilter(status: .pending), database).rows.isEmpty)
            #expect(try await orders(OrderFilter(customer: Customer.ID(ScreenSamples.id(34))), database).rows.isEmpty)
            let (number, transaction) = try await database.read { reader in
                let screens = reader.screens
                return (
                    try await screens.order(matching: "ORD-20261121-9000", app: ScreenSamples.app),
                    try await screens.order(matching: "other-app-1", app: ScreenSamples.app)
                )
            }
            #expect(number == nil && transaction == nil)
        }
    }

    @Test("one exact number or transaction id names its order", arguments: [" ord-20261121-1002 ", "3000000000100002"])
    func exact(_ text: String) async throws {
        try await ScreenSamples.with(orders: 5) { database, _ in
            let number = try await database.read {
                try await $0.screens.order(matching: text, app: ScreenSamples.app)
            }
            #expect(number == "ORD-20261121-1002")
        }
    }

    @Test("a customer's filter narrows the list")
    func customer() async throws {
        try await ScreenSamples.with(orders: 10) { database, _ in
            let customer = Customer.ID(ScreenSamples.id(31))
            let list = try await orders(OrderFilter(customer: customer, sort: .amount), database)
            #expect(list.rows.map(\.customerID) == [customer, customer, customer].suffix(list.rows.count))
            #expect(list.rows.count == 3)
        }
    }

    private func key(_ index: Int) -> String { ScreenSamples.id(1_000 + index).uuidString }
    private func date(_ index: Int) -> Date { ScreenSamples.purchasedAt(index) }

    private func orders(
        _ filter: OrderFilter,
        _ database: Database,
        _ counts: CappedCounts = CappedCounts(),
        seesPersonalData: Bool = true
    ) async throws -> ListPage<ListedOrder> {
        try await database.read {
            try await $0.screens.orders(
                filter,
                app: ScreenSamples.app,
                seesPersonalData: seesPersonalData,
                counts: counts
            )
        }
    }
}
