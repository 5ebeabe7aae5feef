import Billing
import Desk
import Foundation
import Storage
import Web

extension NotificationIndexPage {
    static let sample = sample(in: .english)

    static func sample(in language: Language) -> NotificationIndexPage {
        NotificationIndexPage(
            list: Sample.notifications,
            filter: NotificationFilter(),
            viewer: Sample.viewer(in: language),
            now: Sample.now
        )
    }

    static let emptySample = NotificationIndexPage(
        list: Sample.noNotifications,
        filter: NotificationFilter(state: .failed),
        viewer: Sample.viewer(failed: 0),
        now: Sample.now
    )
}

extension NotificationShowPage {
    /// The page of a notification that was given up.
    static let sample = sample(in: .english)

    static func sample(in language: Language) -> NotificationShowPage {
        NotificationShowPage(
            details: Sample.notificationDetails(),
            from: "/dashboard/notifications?state=failed",
            viewer: Sample.viewer(in: language),
            now: Sample.now
        )
    }
}

extension Sample {
    static let noNotifications = ListPage<ListedNotification>(rows: [], total: .exact(0))

    static let notifications = ListPage(
        rows: (0..<25).map(notificationRow),
        total: .moreThanCounted,
        rowsBefore: 50,
        hasPrevious: true,
        hasNext: true
    )

    static func notificationRow(_ index: Int) -> ListedNotification {
        let types: [(String, String?)] = [
            ("DID_RENEW", nil), ("SUBSCRIBED", "INITIAL_BUY"), ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"),
            ("DID_FAIL_TO_RENEW", "GRACE_PERIOD"), ("TEST", nil), ("REFUND", nil),
        ]
        let (type, subtype) = types[index % types.count]
        let state = NotificationState.allCases[[2, 2, 4, 0, 3, 1][index % 6]]
        let failures = [
            nil, nil, "The catalogue has no product com.readmigo.gone.yearly.", "could not serialize access",
        ]
        return ListedNotification(
            id: uuid(2_000 + index),
            receivedAt: now.addingTimeInterval(-Double(index) * 1_013),
            store: .apple,
            environment: index % 5 == 3 ? .sandbox : .production,
            type: type,
            subtype: subtype,
            notificationUUID: "4d5b2f1a-8c3e-4f7a-9b6d-0000000000\(10 + index)",
            state: state,
            attempts: state == .failed ? 12 : 1,
            lastError: index % 6 < 4 ? failures[index % 6] : nil,
            originalTransactionID: type == "TEST" ? nil : "2000000712345678",
            orderNumber: type == "TEST" || state == .failed ? nil : "ORD-20261121-\(1_284 - index)"
        )
    }

    static func notificationDetails(state: NotificationState = .failed, payload: String? = nil) -> NotificationDetails {
        var row = notificationRow(2)
        row.state = state
        let start = row.receivedAt
        return NotificationDetails(
            row: row,
            signedAt: start.addingTimeInterval(-1.2),
            finishedAt: start.addingTimeInterval(7_384),
            nextAttemptAt: start.addingTimeInterval(4_000),
            signedPayload: Personal(payload ?? signedPayload),
            effect: NotificationDetails.Effect(
                before: .active,
                after: .active,
                rejectionReason: "A renewal cannot follow a revocation."
            ),
            attempts: (1...4).map { attempt($0, from: start) },
            orders: [
                NotificationDetails.LinkedOrder(
                    number: "ORD-20261121-1282",
                    kind: .renewal,
                    status: .completed,
                    amount: 12_800,
                    currency: currency("CNY"),
                    purchasedAt: start,
                    isMadeByIt: true
                )
            ]
        )
    }

    private static func attempt(_ number: Int, from start: Date) -> NotificationDetails.Attempt {
        let startedAt = start.addingTimeInterval(Double(number * number * 60))
        return NotificationDetails.Attempt(
            number: number,
            result: number == 4 ? .failed : .retried,
            error: "The catalogue has no product com.readmigo.gone.yearly.",
            startedAt: startedAt,
            finishedAt: startedAt.addingTimeInterval(0.0123)
        )
    }

    /// A payload with markup in it, and a signed text within.
    static let signedPayload = signed(
        """
        {"notificationType":"DID_CHANGE_RENEWAL_STATUS","subtype":"AUTO_RENEW_DISABLED",\
        "notificationUUID":"4d5b2f1a-8c3e-4f7a-9b6d-000000000012","data":{"appAppleId":123,"bundleId":"com.readmigo.app",\
        "signedTransactionInfo":"\(signed(#"{"transactionId":"2000000712345999","price":128000,"currency":"CNY"}"#))"},\
        "version":"2.0","note":"</script><img src=x onerror=alert(1)>","signedDate":1795226400000,"empty":{},"list":[]}
        """
    )

    static func signed(_ json: String) -> String {
        let body = Data(json.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return "eyJhbGciOiJFUzI1NiJ9.\(body.filter { $0 != "=" }).c2lnbmF0dXJl"
    }
}
