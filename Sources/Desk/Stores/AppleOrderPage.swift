import Billing
package import Foundation
package import HTTP
package import Operations
import Storage
package import Words

/// The purchases under an order id of Apple: `/dashboard/stores/apple/orders`.
package struct AppleOrderPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let typed: String
    /// The problem with what was typed.
    let problem: StaticString?
    /// The reason why Apple was not asked, in its own words or ours.
    let failure: String?
    let isUnknown: Bool
    let hasFound: Bool
    let caption: String
    let rows: [Row]

    /// One transaction.
    struct Row: Sendable {
        let transaction: String
        let original: String
        let product: String
        let money: MoneyText?
        let purchased: DateText?
        let revoked: DateText?
        let order: PageAction?
        let customer: PageAction?
        let subscription: PageAction?
    }

    /// The outcome of asking Apple.
    package enum Outcome: Sendable {
        case notAsked
        case found(Operations.StoreOrder)
        /// Apple does not know it for this app.
        case unknown
        case notAnOrder
        case failed(String)
    }

    package init(_ outcome: Outcome, typed: String, viewer: Viewer, now: Date) {
        let strings = viewer.strings
        var path = QueryText()
        if !typed.isEmpty { path.add("order", typed) }
        frame = DashboardFrame(viewer, section: .stores, path: DashboardPath.appleOrders + path.text, now: now)
        self.typed = typed
        caption = strings.purchasesCaption(zone: viewer.zone.label)
        var (problem, failure, isUnknown): (StaticString?, String?, Bool) = (nil, nil, false)
        var rows: [Row]?
        switch outcome {
        case .notAsked: break
        case .found(let order): rows = order.transactions.map { Row($0, viewer) }
        case .unknown: isUnknown = true
        case .notAnOrder: problem = strings.purchasesOrderProblem
        case .failed(let reason): failure = reason
        }
        (self.problem, self.failure, self.isUnknown) = (problem, failure, isUnknown)
        hasFound = rows != nil
        self.rows = rows ?? []
        title = strings.purchasesTitle.description
    }
}

extension AppleOrderPage.Row {
    fileprivate init(_ transaction: Operations.StoreOrder.Transaction, _ viewer: Viewer) {
        let (strings, zone, known) = (viewer.strings, viewer.zone, transaction.known)
        self.transaction = transaction.id
        original = transaction.originalID
        product = transaction.productID ?? strings.partsNone.description
        money = transaction.price.map { MoneyText($0, strings) }
        purchased = transaction.purchasedAt.map { DateText($0, in: zone, strings, showsSeconds: true) }
        revoked = transaction.revokedAt.map { DateText($0, in: zone, strings, showsSeconds: true) }
        order = known?.orderNumber.map { PageAction(label: $0, href: DashboardPath.order($0)) }
        customer = known?.customer.map {
            PageAction(label: strings.purchasesOpenCustomer.description, href: DashboardPath.customer($0))
        }
        subscription = known?.subscription.map {
            PageAction(label: strings.purchasesOpenSubscription.description, href: DashboardPath.subscription($0))
        }
    }
}
