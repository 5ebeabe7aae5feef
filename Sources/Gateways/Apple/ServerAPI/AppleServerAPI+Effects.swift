package import Billing
package import Foundation

/// Sends information about a transaction to Apple. Sending it again does no harm.
extension AppleServerAPI {
    package func sendConsumption(
        _ consumption: AppleConsumption,
        of transactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(AppleServerError) -> AppleServerAnswer<Void> {
        try await ask(
            .consumption,
            about: [transactionID],
            in: environment,
            body: consumption.body,
            path: { "/inApps/v2/transactions/consumption/\($0.joined())" },
            read: { _ in }
        )
    }

    /// Of Advanced Commerce purchases, which the newer call refuses.
    package func sendConsumption(
        _ consumption: AppleConsumptionV1,
        of transactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(AppleServerError) -> AppleServerAnswer<Void> {
        try await ask(
            .consumption,
            about: [transactionID],
            in: environment,
            body: consumption.body,
            path: { "/inApps/v1/transactions/consumption/\($0.joined())" },
            read: { _ in }
        )
    }

    /// Sets the customer of a purchase from now on.
    package func setAppAccountToken(
        _ token: UUID,
        of originalTransactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(AppleServerError) -> AppleServerAnswer<Void> {
        try await ask(
            .appAccountToken,
            about: [originalTransactionID],
            in: environment,
            body: ["appAccountToken": .string(token.uuidString.lowercased())],
            path: { "/inApps/v1/transactions/\($0.joined())/appAccountToken" },
            read: { _ in }
        )
    }

    /// Reports that a purchase was delivered.
    package func finish(
        _ transactionID: String,
        in environment: StoreEnvironment? = nil
    ) async throws(AppleServerError) -> AppleServerAnswer<Void> {
        try await ask(
            .finishTransaction,
            about: [transactionID],
            in: environment,
            path: { "/inApps/v1/transactions/\($0.joined())/finish" },
            read: { _ in }
        )
    }
}
