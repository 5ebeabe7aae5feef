import APITypes
import Billing
import Hummingbird
import Operations
import Storage

/// Orders as JSON, for programs.
struct AdminOrdersController: Sendable {
    let database: Database

    /// `GET /admin/orders`
    @Sendable func index(_ call: TokenCall) async throws -> Response {
        let question = try OrderQuestion(call.query)
        let (orders, hasMore) = try await database.read { reader in
            try await reader.screens.orderRecords(
                question.filter,
                app: call.app,
                seesPersonalData: call.token.role.may(.viewPersonalData),
                limit: question.limit
            )
        }
        let next = hasMore ? orders.last.map { question.cursor(after: $0) } : nil
        let page = OrderPage(orders: orders.map { APITypes.Order($0) }, next: next)
        return .json { page.write(to: &$0) }
    }

    /// `GET /admin/orders/{id}`: the key or the number.
    @Sendable func show(_ call: TokenCall) async throws -> Response {
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
    private static let longestSearch = 200
    private static let names: Set<String> = ["app", "status", "q", "customer", "sort", "dir", "limit", "after"]

    init(_ query: URLEncoded) throws(WebError) {
        if let unknown = query.pairs.first(where: { !Self.names.contains($0.name) }) {
            throw WebError(.invalid, "There is no such parameter.", field: String(unknown.name.prefix(100)))
        }
        if let status = try query.single("status") {
            filter.status = try Self.known(OrderStatus(rawValue: status.lowercased()), "status")
        }
        if let search = try query.single("q") { filter.search = try Self.search(search) }
        if let customer = try query.single("customer") {
            filter.customer = try Self.known(Customer.ID(customer), "customer")
        }
        if let sort = try query.single("sort") {
            filter.sort = try Self.known(OrderFilter.Sort(rawValue: sort), "sort")
        }
        if let direction = try query.single("dir") {
            filter.direction = try Self.known(SortDirection(rawValue: direction), "dir")
        }
        if let limit = try query.single("limit") {
            self.limit = try Self.known(Int(limit).flatMap { Self.limits.contains($0) ? $0 : nil }, "limit")
        }
        if let cursor = try query.single("after") { filter.position = .after(try cursorOfOurs(cursor)) }
    }

    func cursor(after order: OrderRecord) -> String {
        switch filter.sort {
        case .created:
            PageCursor(kind: .orderCreated, date: order.purchasedAt, id: order.id.uuid, rowsBefore: 0).text
        case .amount:
            PageCursor(kind: .orderAmount, value: order.amount.minorUnits, id: order.id.uuid, rowsBefore: 0).text
        }
    }

    private func cursorOfOurs(_ text: String) throws(WebError) -> PageCursor {
        do {
            return try PageCursor(text: text, kind: filter.sort.cursorKind)
        } catch {
            throw WebError(.invalid, "This cursor is not one of ours for this order.", field: "after")
        }
    }

    private static func search(_ text: String) throws(WebError) -> String {
        let trimmed = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        guard text.unicodeScalars.count <= longestSearch else {
            throw WebError(.invalid, "A search has at most \(longestSearch) characters.", field: "q")
        }
        return trimmed
    }

    private static func known<Value>(_ value: Value?, _ name: String) throws(WebError) -> Value {
        guard let value else { throw WebError(.invalid, "This value of \(name) is not known.", field: name) }
        return value
    }
}
