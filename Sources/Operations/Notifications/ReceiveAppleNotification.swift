import Billing
import Foundation
import Gateways
package import Storage

extension BackOffice {
    /// Verifies a notification of Apple's and stores it; it is processed later (product.md, decision 7).
    ///
    /// - Returns: after the commit, also when the same notification was there already.
    /// - Throws: `OperationsError`: `.notAuthentic`, `.wrongApp`, or `.overloaded` and `.misconfigured` when it could
    ///   not be stored and should be sent again.
    @discardableResult
    package func receiveAppleNotification(signedPayload: String) async throws -> NotificationInbox.Outcome {
        let now = database.now
        let (notification, app) = try await verifiedAppleNotification(in: signedPayload, at: now)
        let received = received(notification, signedPayload: signedPayload, app: app, at: now)
        do {
            return try await inbox.store(received)
        } catch {
            throw OperationsError(
                .overloaded,
                "The notification could not be stored; send it again.",
                retryAfter: 5,
                underlying: error
            )
        }
    }

    private func verifiedAppleNotification(
        in signedPayload: String,
        at now: Date
    ) async throws -> (AppleNotification, App.ID) {
        do {
            let envelope = try AppleEnvelope(signedPayload)
            let bundleID = try envelope.unverifiedBundleID
            guard let bundleID, let app = try await apps.entry(forAppleBundle: bundleID), let setting = app.apple else {
                throw OperationsError(
                    .wrongApp,
                    "No app here sells under this notification's bundle id.",
                    field: "bundleId"
                )
            }
            return (try await apple.verify(envelope, for: setting, at: now), app.record.id)
        } catch let error as OperationsError {
            throw error
        } catch let error as GatewayError {
            throw OperationsError(error)
        } catch {
            throw OperationsError(.overloaded, "The apps could not be read.", retryAfter: 5, underlying: error)
        }
    }

    /// What is authentic is kept, also when it cannot be read: then it waits for staff, with the reason.
    private func received(
        _ notification: AppleNotification,
        signedPayload: String,
        app: App.ID,
        at now: Date
    ) -> ReceivedNotification {
        var received = ReceivedNotification(
            id: Identifier(database.newUUID()),
            app: app,
            store: .apple,
            environment: notification.environment,
            notificationUUID: notification.notificationUUID.lowercased(),
            type: notification.rawType,
            subtype: notification.rawSubtype,
            signedAt: notification.signedDate,
            receivedAt: now,
            signedPayload: signedPayload
        )
        guard notification.isKnown else { return received }
        do {
            received.event = try notification.event()
        } catch {
            received.problem = error.message
        }
        return received
    }
}

extension OperationsError {
    /// The same error as one of the back office.
    fileprivate init(_ error: GatewayError) {
        let code: Code =
            switch error.code {
            case .malformed, .missing, .unsupportedAlgorithm, .invalidChain, .invalidSignature, .signedInFuture:
                .notAuthentic
            case .wrongApp, .wrongEnvironment: .wrongApp
            case .misconfigured: .misconfigured
            case .unreachable: .overloaded
            }
        self.init(code, error.message, underlying: error)
    }
}
