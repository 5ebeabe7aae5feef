import HTTP
import Operations
import Storage

/// The state of a list as its address says it: filters and order, columns, page.
protocol ListAddress: QueryReadable, Sendable {
    static var list: ListName { get }
    var columns: ColumnChoice? { get set }
    var path: String { get }

    /// The filters and the order; with the page also the columns.
    func queryText(withPosition: Bool) -> QueryText
}

extension OrderFilter: ListAddress { static var list: ListName { .orders } }
extension CustomerFilter: ListAddress { static var list: ListName { .customers } }
extension SubscriptionFilter: ListAddress { static var list: ListName { .subscriptions } }
extension RefundFilter: ListAddress { static var list: ListName { .refunds } }
extension NotificationFilter: ListAddress { static var list: ListName { .notifications } }
extension AuditFilter: ListAddress { static var list: ListName { .audit } }

extension ListName {
    var path: String {
        switch self {
        case .orders: DashboardPath.orders
        case .customers: DashboardPath.customers
        case .subscriptions: DashboardPath.subscriptions
        case .refunds: DashboardPath.refunds
        case .notifications: DashboardPath.notifications
        case .audit: DashboardPath.audit
        }
    }

    var section: DashboardFrame.Section {
        switch self {
        case .orders: .orders
        case .customers: .customers
        case .subscriptions: .subscriptions
        case .refunds: .refunds
        case .notifications: .notifications
        case .audit: .audit
        }
    }

    /// The permission to see the list, which is also the one to keep views of it.
    var permission: Permission {
        switch self {
        case .orders: .viewOrders
        case .customers, .subscriptions: .viewCustomers
        case .refunds: .viewRefunds
        case .notifications: .viewNotifications
        case .audit: .viewAudit
        }
    }

    /// Reads the list's state from a URL, but for the page; and what in it the list does not understand.
    func address(
        _ query: [(name: String, value: String)]
    ) throws(InvalidCursor) -> (
        any ListAddress, ignored: [IgnoredParameter]
    ) {
        var reader = QueryReader(query.filter { $0.name != "after" && $0.name != "before" })
        reader.allow(["list"])
        return (try address(&reader), reader.ignored)
    }

    private func address(_ query: inout QueryReader) throws(InvalidCursor) -> any ListAddress {
        switch self {
        case .orders: try OrderFilter(&query)
        case .customers: try CustomerFilter(&query)
        case .subscriptions: try SubscriptionFilter(&query)
        case .refunds: try RefundFilter(&query)
        case .notifications: try NotificationFilter(&query)
        case .audit: try AuditFilter(&query)
        }
    }
}

extension SavedView {
    /// Its list as it was kept.
    var path: String { "\(list.path)\(query)\(query.isEmpty ? "?" : "&")columns=\(columns.text)" }
}
