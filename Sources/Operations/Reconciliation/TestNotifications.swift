package import Billing
import Foundation
import Gateways
import Storage

/// What became of a test notification that a store was asked for.
package enum TestNotificationResult: Sendable, Hashable {
    /// It was verified and is in the inbox.
    case arrived
    /// The store could not deliver it, in its own words.
    case undelivered(String)
    /// The store holds that it was delivered; it is not here.
    case elsewhere
    /// The store has not tried to send it for as long as it was waited for.
    case pending
}

extension BackOffice {
    /// Asks a store for a test notification and waits for it.
    ///
    /// - Parameter patience: how often a second passes until it is given up.
    /// - Returns: nil where the store cannot be asked.
    /// - Throws: `OperationsError` with the store's reason.
    package func testNotification(
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        patience: Int = 20
    ) async throws -> TestNotificationResult? {
        guard let source = try await reconciliationSource(of: app, at: store) else { return nil }
        do {
            let token = try await source.requestTestNotification(in: environment)
            for _ in 0..<max(1, patience) {
                if let sent = try await source.testNotification(token, in: environment) {
                    if try await database.hasNotification(sent.id, of: app, at: store) { return .arrived }
                    return sent.wasDelivered ? .elsewhere : .undelivered(sent.result ?? "OTHER")
                }
                try await Task.sleep(for: .seconds(1))
            }
            return .pending
        } catch let error as GatewayError {
            throw OperationsError(error)
        }
    }
}
