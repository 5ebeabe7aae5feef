import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// The object of an audit entry in words, and the address of its page.
enum AuditObject {
    /// Every type that entries are written with.
    static let types = [
        "app", "app_key", "bill_difference", "bulk", "catalog", "checkout", "customer", "external_purchase", "list",
        "note",
        "notification",
        "order", "path",
        "promo_batch", "queue", "rates", "reconciliation", "refund", "report", "rollups", "session", "staff", "store",
        "token",
        "token_issuer", "view",
    ]

    /// One of a later version of the program by its name in the log.
    static func name(of type: String, _ strings: Strings) -> String {
        let text: StaticString? =
            switch type {
            case "app": strings.entriesObjectApp
            case "app_key": strings.entriesObjectAppKey
            case "bill_difference": strings.entriesObjectBillDifference
            case "bulk": strings.entriesObjectBulk
            case "catalog": strings.entriesObjectCatalog
            case "checkout": strings.entriesObjectCheckout
            case "customer": strings.entriesObjectCustomer
            case "external_purchase": strings.entriesObjectExternalPurchase
            case "list": strings.entriesObjectList
            case "note": strings.entriesObjectNote
            case "notification": strings.entriesObjectNotification
            case "order": strings.entriesObjectOrder
            case "path": strings.entriesObjectPage
            case "promo_batch": strings.entriesObjectPromoBatch
            case "queue": strings.entriesObjectQueue
            case "rates": strings.entriesObjectRates
            case "reconciliation": strings.entriesObjectReconciliation
            case "refund": strings.entriesObjectRefund
            case "report": strings.entriesObjectReport
            case "rollups": strings.entriesObjectRollups
            case "session": strings.entriesObjectSession
            case "staff": strings.entriesObjectStaff
            case "store": strings.partsStore
            case "token": strings.entriesObjectToken
            case "token_issuer": strings.connectionsLogin
            case "view": strings.entriesObjectView
            case _: nil
            }
        return text?.description ?? type.replacing("_", with: " ")
    }

    /// The object itself: lists and queues by their names, everything else by its id or number.
    static func text(_ type: String?, _ id: String, _ strings: Strings) -> String {
        switch type {
        case "list": list(id, strings)
        case "queue": QueueName(rawValue: id).map { QueueText.name(of: $0, strings).description } ?? id
        case "store": Store(rawValue: id).map { StoreText.name(of: $0, strings) } ?? id
        case _: id
        }
    }

    /// A list, or what reports and exports hold.
    static func list(_ name: String, _ strings: Strings) -> String {
        if let list = ListName(rawValue: name) { return list.title(strings).description }
        let text: StaticString? =
            switch name {
            case "ledger": strings.entriesListLedger
            case "access", "access-changes": strings.entriesListAccess
            case "usage": strings.usageTitle
            case "monthly-revenue": strings.entriesListMonthly
            case "revenue": strings.entriesListRevenue
            case "mrr": strings.entriesListMrr
            case "subscribers": strings.entriesListSubscribers
            case "trials": strings.entriesListTrials
            case "retention": strings.entriesListRetention
            case "conversion": strings.entriesListConversion
            case "arpu": strings.entriesListArpu
            case "ltv": strings.entriesListLtv
            case _: name.hasPrefix("health-") ? strings.healthTitle : nil
            }
        return text?.description ?? name.replacing("-", with: " ")
    }

    /// nil for what has no page, or none that this person may open.
    static func path(_ type: String?, _ id: String?, _ viewer: Viewer) -> String? {
        guard let type, let id else { return nil }
        return switch type {
        case "order": DashboardPath.order(id)
        case "refund": DashboardPath.refund(id)
        case "customer": Customer.ID(id).map { DashboardPath.customer($0) }
        case "notification": UUID(uuidString: id).map { DashboardPath.notification($0) }
        case "promo_batch": PromoBatch.ID(id).map { DashboardPath.promoBatch($0) }
        case "queue": DashboardPath.queues
        case "reconciliation": DashboardPath.sync
        case "bill_difference": DashboardPath.billDifferences
        case "checkout": DashboardPath.checkouts
        case "store", "token_issuer": DashboardPath.stores
        case "external_purchase": DashboardPath.externalPurchases
        case "app_key": viewer.may(.connectStores) ? DashboardPath.appKeys : nil
        case "bulk": viewer.may(.runBulkJobs) ? BulkJob.ID(id).map(DashboardPath.bulkJob) : nil
        case "staff": viewer.may(.manageStaff) && !id.contains("@") ? DashboardPath.staffMember(id) : nil
        case _: nil
        }
    }
}
