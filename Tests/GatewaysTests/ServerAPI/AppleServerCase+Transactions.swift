import Billing
import Foundation
import Gateways
import Testing

extension AppleServerCase {
    static let transactions = [
        AppleServerCase(
            "get_refund_history",
            "GET",
            "/inApps/v2/refund/lookup/555555",
            query: ["revision=revision_input"],
            reply: .json([
                "signedTransactions": ["signed_transaction_one", "signed_transaction_two"],
                "revision": "revision_output", "hasMore": true,
            ])
        ) { api in
            let answer = try await api.refundPage(of: "555555", after: "revision_input")
            #expect(answer.signedTransactions == ["signed_transaction_one", "signed_transaction_two"])
            #expect(answer.revision == "revision_output")
            #expect(answer.hasMore)
        },
        history(version: 1), history(version: 2),
        AppleServerCase(
            "get_transaction_history_with_unknown_environment",
            "GET",
            "/inApps/v2/history/1234",
            reply: .json(historyReply.with("environment", "LocalTestingxxx"))
        ) { api in
            let answer = try await api.historyPage(of: "1234")
            #expect(answer.content.environment == nil)
            #expect(answer.rawEnvironment == "LocalTestingxxx")
        },
        AppleServerCase(
            "get_transaction_history_with_malformed_app_apple_id",
            "GET",
            "/inApps/v1/history/1234",
            reply: .json(historyReply.with("appAppleId", "hi"))
        ) { api in
            let error = try await failure { _ = try await api.historyPage(of: "1234", version: 1) }
            #expect(error.cause?.code == .malformed)
            #expect(!error.isSaidNo)
        },
        AppleServerCase(
            "get_transaction_info",
            "GET",
            "/inApps/v1/transactions/1234",
            reply: .json(["signedTransactionInfo": "signed_transaction_info_value"])
        ) { api in
            let answer = try await api.transaction("1234")
            #expect(answer.signedTransaction == "signed_transaction_info_value")
        },
        AppleServerCase(
            "look_up_order_id",
            "GET",
            "/inApps/v1/lookup/W002182",
            reply: .json(["status": 1, "signedTransactions": ["signed_transaction_one", "signed_transaction_two"]])
        ) { api in
            let answer = try await api.order("W002182")
            #expect(answer.status == .invalid)
            #expect(answer.rawStatus == 1)
            #expect(answer.signedTransactions == ["signed_transaction_one", "signed_transaction_two"])
        },
        AppleServerCase(
            "get_app_transaction_info_success",
            "GET",
            "/inApps/v1/transactions/appTransactions/1234",
            reply: .json(["signedAppTransactionInfo": "signed_app_transaction_info_value"])
        ) { api in
            let answer = try await api.appTransaction(of: "1234")
            #expect(answer.signedAppTransaction == "signed_app_transaction_info_value")
        },
        refused(
            "get_app_transaction_info_invalid_transaction_id",
            "invalid_id",
            4_000_006,
            "Invalid transaction id.",
            .invalidTransactionID
        ),
        refused(
            "get_app_transaction_info_app_transaction_does_not_exist",
            "nonexistent_id",
            4_040_019,
            "No AppTransaction exists for the customer.",
            .appTransactionNotFound
        ),
        refused(
            "get_app_transaction_info_transaction_id_not_found",
            "not_found_id",
            4_040_010,
            "Transaction id not found.",
            .transactionIDNotFound
        ),
    ]

    private static func history(version: Int) -> AppleServerCase {
        AppleServerCase(
            "get_transaction_history_v\(version)",
            "GET",
            "/inApps/v\(version)/history/1234",
            query: [
                "revision=revision_input", "startDate=123455", "endDate=123456", "productId=com.example.1",
                "productId=com.example.2", "productType=CONSUMABLE", "productType=AUTO_RENEWABLE", "sort=ASCENDING",
                "subscriptionGroupIdentifier=sub_group_id", "subscriptionGroupIdentifier=sub_group_id_2",
                "inAppOwnershipType=FAMILY_SHARED", "revoked=false",
            ],
            reply: .json(historyReply)
        ) { api in
            let query = AppleHistoryQuery(
                from: Date(timeIntervalSince1970: 123.455),
                to: Date(timeIntervalSince1970: 123.456),
                productIDs: ["com.example.1", "com.example.2"],
                productTypes: [.consumable, .autoRenewable],
                sort: .ascending,
                subscriptionGroupIdentifiers: ["sub_group_id", "sub_group_id_2"],
                ownership: .familyShared,
                isRevoked: false
            )
            let answer = try await api.historyPage(of: "1234", query, after: "revision_input", version: version)
            #expect(answer.revision == "revision_output")
            #expect(answer.hasMore)
            #expect(answer.bundleID == "com.example")
            #expect(answer.appAppleID == 323_232)
            #expect(answer.content.environment == .localTesting)
            #expect(answer.rawEnvironment == "LocalTesting")
            #expect(answer.signedTransactions == ["signed_transaction_value", "signed_transaction_value2"])
        }
    }

    private static let historyReply: JSON = [
        "revision": "revision_output", "hasMore": true, "bundleId": "com.example", "appAppleId": 323_232,
        "environment": "LocalTesting",
        "signedTransactions": ["signed_transaction_value", "signed_transaction_value2"],
    ]

    private static func refused(
        _ name: String,
        _ id: String,
        _ code: Int64,
        _ message: String,
        _ known: AppleErrorCode
    ) -> AppleServerCase {
        AppleServerCase(
            name,
            "GET",
            "/inApps/v1/transactions/appTransactions/\(id)",
            reply: .error(code, message)
        ) { api in
            let error = try await failure { _ = try await api.appTransaction(of: id) }
            #expect(error.httpStatus == Int(code / 10_000))
            #expect(error.rawCode == code)
            #expect(error.code == known)
            #expect(error.message == message)
        }
    }
}

extension JSON {
    func with(_ name: String, _ value: JSON) -> JSON {
        var copy = self
        copy[name] = value
        return copy
    }
}
