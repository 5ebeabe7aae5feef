import Billing
import Foundation
import Gateways
import Testing

extension AppleServerCase {
    static let effects = [
        AppleServerCase(
            "send_consumption_data",
            "PUT",
            "/inApps/v1/transactions/consumption/49571273",
            body: consumptionV1,
            reply: .response(StoreResponse(status: 202))
        ) { api in
            var consumption = AppleConsumptionV1(
                customerConsented: true,
                sampleContentProvided: false,
                appAccountToken: UUID(uuidString: "7389A31A-FB6D-4569-A2A6-DB7D85D84813")
            )
            consumption.consumptionStatus = 1
            consumption.platform = 2
            consumption.deliveryStatus = 3
            consumption.accountTenure = 4
            consumption.playTime = 5
            consumption.lifetimeDollarsRefunded = 6
            consumption.lifetimeDollarsPurchased = 7
            consumption.userStatus = 4
            consumption.refundPreference = 3
            _ = try await api.sendConsumption(consumption, of: "49571273")
        },
        AppleServerCase(
            "send_consumption_data_with_null_app_account_token",
            "PUT",
            "/inApps/v1/transactions/consumption/49571273",
            body: ["customerConsented": true, "sampleContentProvided": false, "appAccountToken": ""],
            reply: empty
        ) { api in
            let consumption = AppleConsumptionV1(customerConsented: true, sampleContentProvided: false)
            _ = try await api.sendConsumption(consumption, of: "49571273")
        },
        AppleServerCase(
            "send_consumption_information",
            "PUT",
            "/inApps/v2/transactions/consumption/49571273",
            body: [
                "customerConsented": true, "sampleContentProvided": false, "deliveryStatus": "DELIVERED",
                "consumptionPercentage": 50_000, "refundPreference": "GRANT_FULL",
            ],
            reply: .response(StoreResponse(status: 202))
        ) { api in
            let consumption = AppleConsumption(
                customerConsented: true,
                sampleContentProvided: false,
                deliveryStatus: .delivered,
                consumptionPercentage: 50_000,
                refundPreference: .grantFull
            )
            _ = try await api.sendConsumption(consumption, of: "49571273")
        },
        AppleServerCase(
            "send_consumption_information_with_minimal_fields",
            "PUT",
            "/inApps/v2/transactions/consumption/49571273",
            body: ["customerConsented": true, "sampleContentProvided": true, "deliveryStatus": "UNDELIVERED_OTHER"],
            reply: empty
        ) { api in
            let consumption = AppleConsumption(
                customerConsented: true,
                sampleContentProvided: true,
                deliveryStatus: .other
            )
            _ = try await api.sendConsumption(consumption, of: "49571273")
        },
        AppleServerCase(
            "set_app_account_token",
            "PUT",
            "/inApps/v1/transactions/49571273/appAccountToken",
            body: ["appAccountToken": "7389a31a-fb6d-4569-a2a6-db7d85d84813"],
            reply: empty
        ) { api in
            _ = try await api.setAppAccountToken(token, of: "49571273")
        },
        AppleServerCase("finish_transaction", "POST", "/inApps/v1/transactions/1234/finish", reply: empty) { api in
            _ = try await api.finish("1234")
        },
        refusedToken(
            "invalid_app_account_token_error",
            "49571273",
            4_000_183,
            "Invalid request. The app account token field must be a valid UUID.",
            .appAccountTokenNotUUID
        ),
        refusedToken(
            "family_transaction_not_supported_error",
            "1234",
            4_000_185,
            "Invalid request. Family Sharing transactions aren't supported by this endpoint.",
            .familyTransactionNotSupported
        ),
        refusedToken(
            "transaction_id_not_original_transaction_id_error",
            "1234",
            4_000_187,
            "Invalid request. The transaction ID provided is not an original transaction ID.",
            .notOriginalTransactionID
        ),
    ]

    private static let token = UUID(
        uuid: (0x73, 0x89, 0xA3, 0x1A, 0xFB, 0x6D, 0x45, 0x69, 0xA2, 0xA6, 0xDB, 0x7D, 0x85, 0xD8, 0x48, 0x13)
    )

    private static let consumptionV1: JSON = [
        "customerConsented": true, "sampleContentProvided": false,
        "appAccountToken": "7389a31a-fb6d-4569-a2a6-db7d85d84813", "consumptionStatus": 1, "platform": 2,
        "deliveryStatus": 3, "accountTenure": 4, "playTime": 5, "lifetimeDollarsRefunded": 6,
        "lifetimeDollarsPurchased": 7, "userStatus": 4, "refundPreference": 3,
    ]

    private static func refusedToken(
        _ name: String,
        _ id: String,
        _ code: Int64,
        _ message: String,
        _ known: AppleErrorCode
    ) -> AppleServerCase {
        AppleServerCase(
            name,
            "PUT",
            "/inApps/v1/transactions/\(id)/appAccountToken",
            body: ["appAccountToken": "7389a31a-fb6d-4569-a2a6-db7d85d84813"],
            reply: .error(code, message)
        ) { api in
            let error = try await failure { _ = try await api.setAppAccountToken(token, of: id) }
            #expect(error.httpStatus == 400)
            #expect(error.rawCode == code)
            #expect(error.code == known)
            #expect(error.message == message)
        }
    }
}
