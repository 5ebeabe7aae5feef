import Foundation
import Operations
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Words

@Suite("What an audit entry says, in words") struct AuditSentenceTests {
    private static func row(
        _ action: String,
        on objectType: String? = nil,
        _ objectID: String? = nil,
        role: StaffRole? = .admin,
        actor: String = "ada@example.com",
        before: String? = nil,
        after: String? = nil,
        reason: String? = nil
    ) -> AuditRow {
        AuditRow(
            id: Sample.uuid(7),
            at: Sample.now,
            app: "readmigo",
            actor: actor,
            role: role,
            action: action,
            objectType: objectType,
            objectID: objectID,
            before: before.map { Personal($0) },
            after: after.map { Personal($0) },
            reason: reason.map { Personal($0) },
            requestID: nil,
            address: nil,
            number: nil,
            hash: nil
        )
    }

    private static func page(_ row: AuditRow, _ viewer: Viewer = Sample.viewer) -> AuditShowPage {
        AuditShowPage(row: row, from: nil, viewer: viewer, now: Sample.now)
    }

    private static func changes(_ page: AuditShowPage) -> [String] {
        page.changes.map { "\($0.name): \($0.before) > \($0.after)" }
    }

    @Test("every action has a sentence in every language, and none is left raw", arguments: Language.allCases)
    func everyAction(language: Language) {
        let viewer = Sample.viewer(in: language)
        for action in AuditAction.allCases {
            let sentence = Self.page(Self.row(action.rawValue), viewer).action
            #expect(!sentence.isEmpty && !sentence.contains(action.rawValue) && !sentence.contains("_"), "\(action)")
            if language != .english {
                #expect(sentence != Self.page(Self.row(action.rawValue)).action, "\(action) in \(language)")
            }
        }
    }

    @Test("every type of object and every reason of the program has words in every language")
    func everyType() {
        for language in Language.allCases where language != .english {
            let (strings, english) = (Strings(language), Strings(.english))
            for type in AuditObject.types where type != "app" {
                #expect(AuditObject.name(of: type, strings) != AuditObject.name(of: type, english), "\(type)")
            }
            for cause in AuditCause.allCases {
                let kept = ActionText.reason(cause.rawValue, of: "session.refuse", strings)
                #expect(kept != ActionText.reason(cause.rawValue, of: "session.refuse", english), "\(cause)")
                #expect(kept != cause.rawValue)
            }
        }
    }

    @Test("a key of a store is told by its ids, which are no numbers, and a purchase by its account")
    func stores() {
        let key = Self.row(
            "store.key_save",
            on: "store",
            "apple",
            after: #"{"key": "api", "keyId": "1234567890", "issuerId": "57246542-96fe-1a63-e053-0824d011072a"}"#
        )
        let changes = Self.changes(Self.page(key))
        #expect(changes.contains("Key ID: none > 1234567890"))
        #expect(changes.contains("Setting: none > App Store Server API key"))
        let token = Self.row(
            "store.account_token",
            on: "customer",
            "x",
            after: #"{"appleOriginalTransactionId": "2000000123456789", "environment": "sandbox"}"#
        )
        #expect(Self.changes(Self.page(token)).contains("Original transaction: none > 2000000123456789"))
        #expect(Self.changes(Self.page(token)).contains("Environment: none > Sandbox"))
    }

    @Test("a raised limit and a reset are told by feature, window and number, in the reader's language")
    func usage() {
        func side(_ used: Int, _ limit: Int, _ until: String) -> String {
            "{\"feature\": \"ai\", \"window\": \"day\", \"used\": \"\(used)\", \"limit\": \"\(limit)\", \"increaseUntil\": \(until)}"
        }
        let raised = Self.page(
            Self.row(
                "usage.raise_limit",
                on: "customer",
                "x",
                before: side(4, 5, "null"),
                after: side(4, 1_005, "\"2026-12-01T00:00:00Z\"")
            )
        )
        #expect(raised.action == "Raised the limit of ai (Day) to 1,005")
        #expect(Self.changes(raised).contains("Limit: 5 > 1,005"))
        let row = Self.row("usage.reset", on: "customer", "x", before: side(4, 5, "null"), after: side(0, 5, "null"))
        #expect(Self.page(row).action == "Reset usage of ai (Day) from 4")
        #expect(Self.page(row, Sample.viewer(in: .turkish)).action == "ai (Gün) kullanımını sıfırladı, önce 4 idi")
        let restored = Self.row("usage.restore_limit", on: "customer", "x", after: side(4, 5, "null"))
        #expect(Self.page(restored).action == "Restored the limit of ai (Day) to 5")
    }

    @Test("a secret key of the app is told by its name and its scopes")
    func appKeys() {
        let after = #"{"name": "Till", "scopes": "usage:write tokens:mint"}"#
        let issued = Self.page(Self.row("app_key.issue", on: "app_key", "x", after: after))
        #expect(issued.action == "Created the secret key “Till” of the app")
        #expect(issued.objectType == "Secret key")
        #expect(Self.changes(issued).contains("Permissions: none > usage:write tokens:mint"))
        let revoked = Self.page(Self.row("app_key.revoke", on: "app_key", "x", before: after))
        #expect(revoked.action == "Revoked the secret key “Till” of the app")
    }

    @Test("promo codes are told by their batch's name, and what a customer redeemed by its plan and end")
    func promoCodes() {
        let after = #"{"name": "Fair", "channel": "fair", "codes": "200", "uses per code": "1"}"#
        let made = Self.page(Self.row("promo_code.make", on: "promo_batch", "x", after: after))
        #expect(made.action == "Created the promo codes “Fair”")
        #expect(made.objectType == "Promo code batch")
        #expect(Self.changes(made).contains("Codes: none > 200"))
        let stopped = Self.page(
            Self.row(
                "promo_code.stop",
                on: "promo_batch",
                "x",
                before: #"{"name": "Fair", "state": "running"}"#,
                after: #"{"name": "Fair", "state": "stopped"}"#
            )
        )
        #expect(stopped.action == "Stopped the promo codes “Fair”")
        #expect(Self.changes(stopped).contains("Status: Running > Stopped"))
        let redeemed = #"{"name": "Fair", "plan": "PRO", "until": "2026-12-31T02:30:00Z"}"#
        let page = Self.page(Self.row("promo_code.redeem", on: "customer", "x", after: redeemed))
        #expect(page.action.hasPrefix("Redeemed a promo code of “Fair”: PRO until 31 Dec 2026"))
    }

    @Test("a change of role names the person and both roles, in the reader's language")
    func role() {
        let row = Self.row(
            "staff.role",
            on: "staff",
            "x",
            before: #"{"email": "mei@example.com", "role": "support"}"#,
            after: #"{"email": "mei@example.com", "role": "admin"}"#,
            reason: "correction: She leads the team now."
        )
        let page = Self.page(row)
        #expect(page.action == "Changed the role of mei@example.com from support to admin")
        #expect(Self.changes(page).contains("Role: support > admin"))
        #expect(page.objectType == "Staff")
        let turkish = Self.page(row, Sample.viewer(in: .turkish))
        #expect(turkish.action == "mei@example.com hesabının rolünü değiştirdi: destek → yönetici")
        #expect(
            turkish.reason?.hasPrefix("Önceki bir işlemi düzeltir") == true || turkish.reason?.contains(": She") == true
        )
        // An entry from before persons were recorded.
        let old = Self.row(
            "staff.role",
            on: "staff",
            "x",
            before: #"{"role": "support"}"#,
            after: #"{"role": "admin"}"#
        )
        #expect(Self.page(old).action == "Changed a teammate’s role")
    }

    @Test("amounts have their currency, and moments the app's clock")
    func amounts() {
        let refund = Self.page(
            Self.row(
                "refund.approve",
                on: "refund",
                "RF-000077",
                before: #"{"status": "pending", "currency": "CNY", "requestedAmount": "1280.00"}"#,
                after: #"{"status": "approved", "currency": "CNY", "requestedAmount": "1280.00", "#
                    + #""approvedAmount": "640.00", "refundPreference": "GRANT_PRORATED"}"#
            )
        )
        #expect(refund.action == "Approved refund RF-000077, 640.00 CNY")
        #expect(
            Self.changes(refund) == [
                "Approved: none > 640.00 CNY", "Response to the store: none > refund of the unused share",
                "Requested: 1,280.00 CNY > 1,280.00 CNY", "Status: Pending review > Approved",
            ]
        )
        let grant = Self.page(
            Self.row(
                "access.grant",
                before: #"{"until": null}"#,
                after: #"{"until": "2026-12-31T02:30:00Z"}"#
            )
        )
        #expect(Self.changes(grant) == ["Until: none > 31 Dec 2026 10:30 UTC+8"])
    }

    @Test("what was exported, retried and written is counted, and lists have their names")
    func counts() {
        let export = Self.row(
            "list.export",
            on: "list",
            "orders",
            after: #"{"complete": true, "filter": "?status=refunded&q=L%C4%B1na", "rows": 1284}"#
        )
        #expect(Self.page(export).action == "Exported the list Orders, 1,284 rows")
        #expect(
            Self.changes(Self.page(export)) == [
                "Complete: none > yes", "Filters: none > status=refunded, q=Lına", "Rows: none > 1,284",
            ]
        )
        let retry = Self.row("queue.retry", on: "queue", "reports", after: #"{"queue": "reports", "count": "1"}"#)
        #expect(Self.page(retry).action == "Retried 1 failed job in the queue Reports")
        #expect(Self.page(retry).object == "Reports")
    }

    @Test("what was denied says what was tried, and why")
    func denied() {
        func entry(_ type: String, _ object: String, _ reason: String) -> AuditShowPage {
            Self.page(Self.row("access.deny", on: type, object, reason: reason))
        }
        let page = entry("path", "/dashboard/staff", "needs manageStaff")
        #expect(page.action == "Tried to open /dashboard/staff and was denied")
        #expect(page.reason == "Their role doesn’t allow this.")
        let refund = entry("refund", "RF-000077", "refund.approve: Whoever requested a refund cannot approve it.")
        #expect(refund.action == "Tried to approve refund RF-000077 and was denied")
        #expect(refund.reason == "Whoever requests a refund can’t approve it.")
    }

    @Test("the program's own parts have names; people keep theirs")
    func actors() {
        func actor(_ name: String, _ role: StaffRole? = nil) -> String {
            Self.page(Self.row("report.write", role: role, actor: name), Sample.viewer(in: .turkish)).actor
        }
        #expect(actor("command line") == "Komut satırı" && actor("unknown account") == "Bilinmeyen hesap")
        #expect(actor("apple") == "Apple" && actor("perennial") == "Perennial")
        #expect(actor("bulk job 01900000-0000-7000-8000-000000000019") == "Toplu iş")
        #expect(actor("report", .admin) == "report" && actor("ada@example.com", .admin) == "ada@example.com")
    }

    @Test("an action, object and field of a later version are shown, readable")
    func unknown() {
        let page = Self.page(
            Self.row(
                "coupon.hand_out",
                on: "gift_card",
                "G-1",
                before: #"{"usableUntil": "2026-12-31T02:30:00Z", "max_uses": 3}"#,
                after: #"{"usableUntil": "2027-01-31T02:30:00Z", "max_uses": 5, "shops": ["a", "b"], "api_token": "x"}"#
            )
        )
        #expect(page.action == "Hand out coupon" && page.objectType == "gift card")
        #expect(
            Self.changes(page) == [
                "api token: none > •••", "max uses: 3 > 5", "shops: none > a, b",
                "usable until: 31 Dec 2026 10:30 UTC+8 > 31 Jan 2027 10:30 UTC+8",
            ]
        )
    }

    @Test("who may not read before and after reads the sentence without them")
    func withoutPersonalData() {
        let row = Self.row(
            "staff.invite",
            on: "staff",
            "x",
            after: #"{"email": "mei@example.com", "role": "support"}"#
        )
        let page = Self.page(row, Sample.analyst)
        #expect(page.action == "Invited a teammate" && page.changes.isEmpty)
    }

    @Test("the list filters by actions and types by their names")
    func filter() {
        var filter = AuditFilter()
        filter.action = "refund"
        filter.objectType = "refund"
        let page = AuditIndexPage(
            list: ListPage(rows: [Self.row("refund.reject", on: "refund", "RF-000077")]),
            filter: filter,
            viewer: Sample.viewer,
            now: Sample.now
        )
        #expect(page.chips.map(\.label) == ["Action: Refunds", "Object: Refund"])
        #expect(page.entries.map(\.action) == ["Rejected refund RF-000077"])
        let chosen = page.actions.flatMap(\.options).filter(\.isChosen)
        #expect(chosen.map(\.label) == ["Refunds: all"] && page.otherAction == nil)
        let all = Set(page.actions.flatMap(\.options).map(\.value))
        #expect(all.isSuperset(of: AuditAction.allCases.map(\.rawValue)))
    }
}
