import Billing
import HTTP
import Storage
import Words

/// One line of the list of orders.
struct OrderRow: Sendable {
    var href: String
    var number: String
    /// The name, else the e-mail address, else the key.
    var customer: String
    /// The e-mail address below a name.
    var customerDetail: String?
    /// The customer is known by key alone.
    var isKey: Bool
    var product: String
    var plan: String
    var money: MoneyText
    var status: StatusText
    var store: String
    var isSandbox: Bool
    var created: DateText

    /// - Parameter linkSuffix: the end of the link, after the number, for the way back.
    init(_ row: ListedOrder, for viewer: Viewer, linkSuffix: String) {
        let strings = viewer.strings
        let (name, email) = (row.customerName?.shown(to: viewer), row.customerEmail?.shown(to: viewer))
        href = linkSuffix.isEmpty ? Self.path + row.number : Self.path + row.number + linkSuffix
        number = row.number
        customer = name ?? email ?? row.customerKey
        customerDetail = name == nil ? nil : email
        isKey = name == nil && email == nil
        product = row.productName
        plan = row.planCode
        money = MoneyText(row.amount, row.currency, strings)
        status = StatusText(row.status, strings)
        store = StoreText.name(of: row.store, strings)
        isSandbox = if case .sandbox = row.environment { true } else { false }
        created = DateText(row.purchasedAt, in: viewer.zone, strings)
    }

    private static let path = DashboardPath.orders + "/"
}
