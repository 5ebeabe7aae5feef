import Billing
import Foundation
import Gateways
import Testing

extension AppleServerCase {
    static let subscriptions = [
        AppleServerCase(
            "extend_renewal_date_for_all_active_subscribers",
            "POST",
            "/inApps/v1/subscriptions/extend/mass",
            body: [
                "extendByDays": 45, "extendReasonCode": 1, "requestIdentifier": "fdf964a4-233b-486c-aac1-97d8d52688ac",
                "productId": "com.example.productId", "storefrontCountryCodes": ["USA", "MEX"],
            ],
            reply: .json(["requestIdentifier": "758883e8-151b-47b7-abd0-60c4d804c2f5"])
        ) { api in
            let answer = try await api.extendAll(
                subscribersTo: "com.example.productId",
                by: length,
                storefronts: ["USA", "MEX"],
                in: .production
            )
            #expect(answer.requestIdentifier == "758883e8-151b-47b7-abd0-60c4d804c2f5")
        },
        AppleServerCase(
            "extend_subscription_renewal_date",
            "PUT",
            "/inApps/v1/subscriptions/extend/4124214",
            body: [
                "extendByDays": 45, "extendReasonCode": 1, "requestIdentifier": "fdf964a4-233b-486c-aac1-97d8d52688ac",
            ],
            reply: .json([
                "originalTransactionId": "2312412", "webOrderLineItemId": "9993", "success": true,
                "effectiveDate": 1_698_148_900_000,
            ])
        ) { api in
            let answer = try await api.extend("4124214", by: length)
            #expect(answer.originalTransactionID == "2312412")
            #expect(answer.webOrderLineItemID == "9993")
            #expect(answer.isSuccess)
            #expect(answer.effectiveDate == Date(timeIntervalSince1970: 1_698_148_900))
        },
        AppleServerCase(
            "get_all_subscription_statuses",
            "GET",
            "/inApps/v1/subscriptions/4321",
            query: ["status=2", "status=1"],
            reply: .json([
                "environment": "LocalTesting", "bundleId": "com.example", "appAppleId": 5_454_545,
                "data": [
                    [
                        "subscriptionGroupIdentifier": "sub_group_one",
                        "lastTransactions": [
                            last("3749183", status: 1, "one"), last("5314314134", status: 5, "two"),
                        ],
                    ],
                    [
                        "subscriptionGroupIdentifier": "sub_group_two",
                        "lastTransactions": [last("3413453", status: 2, "three")],
                    ],
                ],
            ])
        ) { api in
            let answer = try await api.subscriptionStatuses(of: "4321", only: [.expired, .active])
            #expect(answer.content.environment == .localTesting)
            #expect(answer.rawEnvironment == "LocalTesting")
            #expect(answer.bundleID == "com.example")
            #expect(answer.appAppleID == 5_454_545)
            #expect(answer.groups.map(\.subscriptionGroupIdentifier) == ["sub_group_one", "sub_group_two"])
            let last = answer.groups.flatMap(\.lastTransactions)
            #expect(last.map(\.originalTransactionID) == ["3749183", "5314314134", "3413453"])
            #expect(last.map(\.status) == [.active, .revoked, .expired])
            #expect(
                last.map(\.signedTransaction) == [
                    "signed_transaction_one", "signed_transaction_two", "signed_transaction_three",
                ]
            )
            #expect(last.map(\.signedRenewal) == ["signed_renewal_one", "signed_renewal_two", "signed_renewal_three"])
        },
        AppleServerCase(
            "get_status_of_subscription_renewal_date_extensions",
            "GET",
            "/inApps/v1/subscriptions/extend/mass/20fba8a0-2b80-4a7d-a17f-85c1854727f8/com.example.product",
            reply: .json([
                "requestIdentifier": "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "complete": true,
                "completeDate": 1_698_148_900_000, "succeededCount": 30, "failedCount": 2,
            ])
        ) { api in
            // Apple's own test has them the wrong way round.
            let answer = try await api.extensionStatus(
                of: "20fba8a0-2b80-4a7d-a17f-85c1854727f8",
                requestIdentifier: "com.example.product",
                in: .production
            )
            #expect(answer.requestIdentifier == "20fba8a0-2b80-4a7d-a17f-85c1854727f8")
            #expect(answer.isComplete)
            #expect(answer.completeDate == Date(timeIntervalSince1970: 1_698_148_900))
            #expect(answer.succeededCount == 30)
            #expect(answer.failedCount == 2)
        },
    ]

    private static let length = AppleExtension(
        days: 45,
        reason: .customerSatisfaction,
        requestIdentifier: "fdf964a4-233b-486c-aac1-97d8d52688ac"
    )

    private static func last(_ id: String, status: Int64, _ name: String) -> JSON {
        [
            "status": .integer(status), "originalTransactionId": .string(id),
            "signedTransactionInfo": .string("signed_transaction_\(name)"),
            "signedRenewalInfo": .string("signed_renewal_\(name)"),
        ]
    }
}
