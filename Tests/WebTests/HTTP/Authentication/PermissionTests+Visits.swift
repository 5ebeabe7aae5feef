import HTTPTypes
import Operations
import Storage
import Testing

@testable import Desk
@testable import HTTP

extension PermissionTests {
    /// A request of the matrix.
    struct Visit: Sendable, CustomStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        let object: Object
        let may: Bool

        var description: String { "\(method) \(path)" }

        /// Returns true if a status is right for the visit. Forms are sent empty, so a visible object answers with the missing
        /// fields.
        func fits(_ status: HTTPResponse.Status, from app: String) -> Bool {
            guard may else { return status == .forbidden }
            // Deletions name things that do not exist, so that each visit finds the same.
            if method == .delete { return status == .notFound }
            let isVisible = object == .none || object == .everywhere || (object == .there && app == "readmigo")
            guard isVisible else { return status == .notFound }
            return status == .ok || status == .seeOther || (method != .get && [409, 422].contains(status.code))
        }
    }

    static func visits(_ entries: [RouteEntry], of role: StaffRole, seesAllApps: Bool) -> [Visit] {
        entries.flatMap { entry -> [Visit] in
            guard case .staff(let permission) = entry.access else { return [] }
            return visits(entry, may: role.may(permission) && (seesAllApps || !permission.terms.needsAllApps))
        }
    }

    static func calls(_ entries: [RouteEntry], of role: StaffRole, with scopes: [TokenScope]?) -> [Visit] {
        entries.flatMap { entry -> [Visit] in
            guard case .token(let permission) = entry.access else { return [] }
            let hasScope = scopes?.contains { $0.covers(permission.terms.scope) } ?? true
            return visits(entry, may: role.may(permission) && hasScope)
        }
    }

    private static func visits(_ entry: RouteEntry, may: Bool) -> [Visit] {
        paths(entry).map { Visit(method: entry.method, path: $0.0, object: $0.1, may: may) }
    }

    enum Object {
        /// The path is not that of an object.
        case none
        case there
        /// The object belongs to no app.
        case everywhere
        case missing
    }

    static func paths(_ entry: RouteEntry) -> [(String, Object)] {
        guard entry.path.contains("{") else { return [(entry.path, .none)] }
        guard let object = objects.first(where: { entry.path == $0.path || entry.path.hasPrefix($0.path + "/") })
        else {
            Issue.record("name an object for \(entry.path)")
            return []
        }
        let rest = entry.path.dropFirst(object.path.count)
        let start = object.path.prefix { $0 != "{" }
        let shared = [TestSite.staffMember, KeysPagesTests.key, "reports"]
        // The site has no such object: a store would have to be asked.
        if object.there == object.missing { return [(start + object.missing + rest, .missing)] }
        let there = shared.contains(object.there) ? Object.everywhere : .there
        return [(start + object.there + rest, there), (start + object.missing + rest, .missing)]
    }

    /// An existing object of readmigo and a missing one for each path of an object; longer paths begin with one of these.
    private static let objects: [(path: String, there: String, missing: String)] = [
        (
            "/dashboard/customers/{id}/notes/{note}", "\(TestSite.customer)/notes/\(CustomersTests.note)",
            "\(TestSite.customer)/notes/00000000-0000-7000-8000-000000000009"
        ),
        ("/dashboard/customers/{id}", TestSite.customer, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/subscriptions/{id}", CustomersTests.note, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/seats/{id}", TestSite.seat, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/orders/{number}", "ORD-20260101-0001", "ORD-20260101-9999"),
        ("/dashboard/refunds/{number}", "RF-000001", "RF-999999"),
        ("/dashboard/notifications/{id}", TestSite.notificationID, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/audit/{id}", TestSite.auditEntry, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/account/keys/{id}", KeysPagesTests.key, "00000000-0000-7000-8000-000000000008"),
        ("/dashboard/staff/keys/{id}", KeysPagesTests.key, "00000000-0000-7000-8000-000000000008"),
        ("/dashboard/staff/{id}", TestSite.staffMember, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/views/{id}", ViewsTests.view, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/queues/{queue}", "reports", "nothing"),
        ("/dashboard/external-purchases/{id}", TestSite.externalPurchase, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/sync/{id}", TestSite.reconciliation, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/bills/{id}", TestSite.bill, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/bill-differences/{id}", TestSite.billDifference, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/checkouts/{id}", TestSite.waitingCheckout, "00000000-0000-7000-8000-000000000009"),
        ("/admin/bill-differences/{id}", TestSite.billDifference, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/app-keys/{id}", TestSite.appKey, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/token-issuer/secrets/{id}", TestSite.issuerSecret, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/stores/{store}/tests/{environment}", "apple/tests/production", "apple/tests/none"),
        ("/dashboard/stores/{store}/keys/{kind}", "apple/keys/api", "apple/keys/none"),
        ("/dashboard/stores/{store}", "apple", "none"),
        ("/dashboard/bulk/{id}", TestSite.bulkJobID, "00000000-0000-7000-8000-000000000009"),
        ("/admin/orders/{id}", "ORD-20260101-0001", "ORD-20260101-9999"),
        ("/admin/refunds/{number}", "RF-000001", "RF-999999"),
        ("/admin/subscriptions/{customer}", TestSite.customer, "00000000-0000-7000-8000-000000000009"),
        (
            "/admin/customers/{id}/notes/{note}", "\(TestSite.customer)/notes/00000000-0000-7000-8000-000000000009",
            "\(TestSite.customer)/notes/00000000-0000-7000-8000-000000000008"
        ),
        ("/admin/customers/{id}", TestSite.customer, "00000000-0000-7000-8000-000000000009"),
        ("/admin/queues/{queue}", "reports", "nothing"),
        ("/admin/purchases/{id}", TestSite.verification, "00000000-0000-7000-8000-000000000009"),
        ("/admin/stores/apple/orders/{order}", "MK5TTTVWJH", "MK5TTTVWJH"),
        ("/dashboard/promo-codes/{id}", TestSite.promoBatch, "00000000-0000-7000-8000-000000000009"),
        ("/admin/promo-codes/{id}", TestSite.promoBatch, "00000000-0000-7000-8000-000000000009"),
        ("/dashboard/extensions/{id}", TestSite.renewalExtension, "00000000-0000-7000-8000-000000000009"),
        (
            "/admin/extensions/{id}/failures", "\(TestSite.renewalExtension)/failures",
            "00000000-0000-7000-8000-000000000009/failures"
        ),
        ("/admin/extensions/{id}", TestSite.renewalExtension, "00000000-0000-7000-8000-000000000009"),
        ("/admin/audit/{id}", TestSite.auditEntry, "00000000-0000-7000-8000-000000000009"),
    ]
}
