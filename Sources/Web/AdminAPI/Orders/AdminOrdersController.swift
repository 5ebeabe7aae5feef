import APITypes
import Billing
import Hummingbird
import Operations
import Storage

/// Orders as JSON, for programs.
struct AdminOrdersController: Sendable {
    let database: Database

    /// `GET /admin/orders`
    @Sendable func index(_ call: APIRequest) async throws -> Response {
        let question = try OrderQuestion(call.query)
        let (orders, hasMore) = try await database.read { reader in
            try await reader.screens.orderRecords(
                question.filter,
                app: call.app,
                seesPersonalData: call.seesPersonalData,
                limit: question.limit
            )
        }
        let next = hasMore ? orders.last.map { question.cursor(after: $0) } : nil
        let page = OrderPage(orders: orders.map { APITypes.Order($0) }, next: next)
        return .json { page.write(to: &$0) }
    }

    /// `GET /admin/orders/{id}`: the key or the number.
    @Sendable func show(_ call: APIRequest) async throws -> Response {
        let name = try URLEncoded.decode(try call.context.parameters.require("id").utf8)
        let found = try await database.read { try await $0.screens.orderRecord(name, app: call.app) }
        guard let (order, entries) = found else { throw WebError(.notFound, "There is no such order.") }
        return .json { APITypes.Order(order, entries: entries).write(to: &$0) }
    }
}

/// The parameters of a list of orders; each mistake is named, nothing is guessed.
private struct OrderQuestion {
    var filter = OrderFilter()
    var limit = 25

    private static let limits = 1...100
    private static let names: Set<String> = ["status", "q", "customer", "sort", "dir", "limit", "after"]

    init(_ query: URLEncoded) throws(WebError) {
        let question = try ListParameters(query, takes: Self.names)
        filter.status = try question.value("status") { OrderStatus(rawValue: $0.lowercased()) }
        filter.search = try question.search()
        filter.customer = try question.value("customer") { Customer.ID($0) }
        if let sort = try question.value("sort", OrderFilter.Sort.init(rawValue:)) { filter.sort = sort }
        if let direction = try question.value("dir", SortDirection.init(rawValue:)) { filter.direction = direction }
        let limit = try question.value("limit") { Int($0).flatMap { Self.limits.contains($0) ? $0 : nil } }
        self.limit = limit ?? self.limit
        filter.position = try question.position(of: filter.sort.cursorKind)
    }

    func cursor(after order: OrderRecord) -> String {
        switch filter.sort {
        case .created:
            PageCursor(kind: .orderCreated, date: order.purchasedAt, id: order.id.uuid, rowsBefore: 0).text
        case .amount:
            PageCursor(kind: .orderAmount, value: order.amount.minorUnits, id: order.id.uuid, rowsBefore: 0).text
        }
    }
}
