import Billing
import Foundation
import Gateways
import Testing

extension AppleServerCase {
    static let notifications = [
        AppleServerCase(
            "get_test_notification_status",
            "GET",
            "/inApps/v1/notifications/test/8cd2974c-f905-492a-bf9a-b2f47c791d19",
            reply: .json(["signedPayload": "signed_payload", "sendAttempts": attempts])
        ) { api in
            let answer = try await api.testNotificationStatus("8cd2974c-f905-492a-bf9a-b2f47c791d19", in: .sandbox)
            #expect(answer.signedPayload == "signed_payload")
            expectAttempts(answer.attempts)
        },
        AppleServerCase(
            "get_notification_history",
            "POST",
            "/inApps/v1/notifications/history",
            query: ["paginationToken=a036bc0e-52b8-4bee-82fc-8c24cb6715d6"],
            body: [
                "startDate": 1_698_148_900_000, "endDate": 1_698_148_950_000, "notificationType": "SUBSCRIBED",
                "notificationSubtype": "INITIAL_BUY", "transactionId": "999733843", "onlyFailures": true,
            ],
            reply: .json([
                "paginationToken": "57715481-805a-4283-8499-1c19b5d6b20a", "hasMore": true,
                "notificationHistory": [
                    ["sendAttempts": attempts, "signedPayload": "signed_payload_one"],
                    ["sendAttempts": [], "signedPayload": "signed_payload_two"],
                ],
            ])
        ) { api in
            let query = AppleNotificationQuery(
                from: Date(timeIntervalSince1970: 1_698_148_900),
                to: Date(timeIntervalSince1970: 1_698_148_950),
                type: .subscribed,
                subtype: .initialBuy,
                transactionID: "999733843",
                onlyFailures: true
            )
            let token = "a036bc0e-52b8-4bee-82fc-8c24cb6715d6"
            let answer = try await api.notificationPage(query, after: token, in: .production)
            #expect(answer.paginationToken == "57715481-805a-4283-8499-1c19b5d6b20a")
            #expect(answer.hasMore)
            #expect(answer.notifications.map(\.signedPayload) == ["signed_payload_one", "signed_payload_two"])
            expectAttempts(answer.notifications.first?.attempts ?? [])
            #expect(answer.notifications.last?.attempts == [])
        },
        AppleServerCase(
            "get_notification_history_with_microsecond_values",
            "POST",
            "/inApps/v1/notifications/history",
            body: ["startDate": 1_698_148_900_000, "endDate": 1_698_148_950_000],
            reply: .json(["hasMore": false, "notificationHistory": []])
        ) { api in
            let query = AppleNotificationQuery(
                from: Date(timeIntervalSince1970: 1_698_148_900.000_001),
                to: Date(timeIntervalSince1970: 1_698_148_950.000_001)
            )
            let answer = try await api.notificationPage(query, in: .production)
            #expect(answer.notifications.isEmpty)
            #expect(answer.paginationToken == nil)
        },
        AppleServerCase(
            "request_test_notification",
            "POST",
            "/inApps/v1/notifications/test",
            reply: .json(["testNotificationToken": "ce3af791-365e-4c60-841b-1674b43c1609"])
        ) { api in
            let answer = try await api.requestTestNotification(in: .production)
            #expect(answer.token == "ce3af791-365e-4c60-841b-1674b43c1609")
        },
    ]

    private static let attempts: JSON = [
        ["attemptDate": 1_698_148_900_000, "sendAttemptResult": "NO_RESPONSE"],
        ["attemptDate": 1_698_148_950_000, "sendAttemptResult": "SUCCESS"],
        ["attemptDate": 1_698_148_960_000, "sendAttemptResult": "ECLIPSE"],
    ]

    private static func expectAttempts(_ attempts: [AppleSentNotification.Attempt]) {
        #expect(attempts.map(\.date?.timeIntervalSince1970) == [1_698_148_900, 1_698_148_950, 1_698_148_960])
        #expect(attempts.map(\.result) == [.noResponse, .success, nil])
        #expect(attempts.map(\.rawResult) == ["NO_RESPONSE", "SUCCESS", "ECLIPSE"])
    }
}
