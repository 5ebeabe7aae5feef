import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Orders as JSON, for programs.
package struct AdminOrdersController: Sendable {
    let database: Database

    package static let list = APIOperation(
        "listOrders",
        .orders,
        "Orders, newest first",
        query: [
            OrderQuestion.status, OrderQuestion.search, QueryParameter.customer, OrderQuestion.sort,
            QueryParameter.direction(), OrderQuestion.limit,
            PageParameter(),
        ],
        answer: .ok(OrderPage.self, "A page of orders.")
    )

    /// `GET /admin/orders`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
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
        return .json(page)
    }

    package static let one = APIOperation(
        "showOrder",
        .orders,
        "One order and its ledger",
        path: .order,
        answer: .ok(APITypes.Order.self, "The order.")
    )

    /// `GET /admin/orders/{id}`: the key or the number.
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        let name = try URLEncoded.decode(try call.context.parameters.require("id").utf8)
        let found = try await database.read { try await $0.screens.orderRecord(name, app: call.app) }
        guard let (order, entries) = found else { throw WebError(.notFound, "There is no such order.") }
        return .json(APITypes.Order(order, entries: entries))
    }
}

extension APIParameter {
    package static let order = APIParameter.name("id", "The order's id or number.", example: "ORD-20241215-0001")
}

/// The parameters of a list of orders; each mistake is named, nothing is guessed.
private struct OrderQuestion {
    var filter = OrderFilter()
    var limit = 25

    static let status = QueryParameter(capitals: "status", OrderStatus.self)
    static let search = QueryParameter.search(
        "q",
        "An order number, a store transaction, a product's name or a customer, or three characters and more of them."
    )
    static let sort = QueryParameter("sort", OrderFilter.Sort.self, preset: .created)
    static let limit = QueryParameter.number("limit", 1...100, preset: 25)

    init(_ query: URLEncoded) throws(WebError) {
        let question = ListParameters(query)
        filter.status = try question.value(Self.status)
        filter.search = try question.value(Self.search) ?? ""
        filter.customer = try question.value(.customer)
        if let sort = try question.value(Self.sort) { filter.sort = sort }
        if let direction = try question.value(.direction()) { filter.direction = direction }
        limit = try question.value(Self.limit) ?? limit
        filter.position = try question.position(of: filter.sort.cursorKind)
    }

    func cursor(after order: OrderRecord) -> String {
        switch filter.sort {
        case .created:
            PageCursor(kind: .orderCreated, date: order.purchasedAt, id: order.id.uuid, rowsBefore: 0).text
        case .amount:
            PageCursor(kind: .orderAmount, value: order.worth, id: order.id.uuid, rowsBefore: 0).text
        }
    }
}
