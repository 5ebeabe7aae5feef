import Billing
import Crypto
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Receives Apple's message about an account with which somebody signs in to an app: verified, and kept once.
    ///
    /// Returns after the commit of the message and its consequences.
    ///
    /// - Parameter payload: the token that Apple posts.
    /// - Returns: true if it is new.
    /// - Throws: `OperationsError` with `.notAuthentic` for a message that Apple did not sign for an app here, `.overloaded` while Apple's
    ///   keys are not available; Apple then sends it again.
    @discardableResult
    package func receiveAccountNotification(_ payload: String) async throws -> Bool {
        let (notification, app) = try await verified(payload)
        return try await database.write { transaction in
            let isNew = try await transaction.keep(
                StoredAccountNotification(
                    id: Identifier(transaction.newUUID()),
                    app: app,
                    notificationID: notification.id ?? Self.digest(of: notification),
                    clientID: notification.clientID,
                    type: notification.rawType,
                    subject: notification.subject,
                    email: notification.email.map { Personal($0) },
                    isPrivateEmail: notification.isPrivateEmail,
                    happenedAt: notification.happenedAt,
                    receivedAt: transaction.now
                )
            )
            if isNew { try await follow(notification, of: app, in: transaction) }
            return isNew
        }
    }

    private func verified(_ payload: String) async throws -> (AppleAccountNotification, App.ID) {
        do {
            let claimed = try AppleAccountNotification.claimedClientIDs(in: payload)
            guard let gateway = gateways[.apple] as? AppleGateway,
                let app = try await apps.entry(signingInAs: claimed), let account = app.accounts[.apple],
                let configuration = try gateway.signInConfiguration(of: account)
            else {
                throw JWTError(
                    .wrongAudience,
                    "No app here signs people in under this client id.",
                    field: "aud"
                )
            }
            let notification = try await gateway.identityVerifier(for: configuration).verify(
                notification: payload,
                clientIDs: configuration.clientIDs,
                at: database.now
            )
            return (notification, app.record.id)
        } catch let error as JWTError {
            guard error.code != .unreachable else {
                throw OperationsError(.overloaded, error.message, retryAfter: 60, underlying: error)
            }
            throw OperationsError(.notAuthentic, error.message, underlying: error)
        } catch let error as GatewayError {
            throw OperationsError(error)
        }
    }

    /// The id of a notification that Apple gave none.
    private static func digest(of notification: AppleAccountNotification) -> String {
        let parts = [
            notification.clientID, notification.rawType, notification.subject,
            notification.happenedAt.map { String($0.timeIntervalSince1970) } ?? "",
        ]
        let hash = SHA256.hash(data: Data(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8))
        return hash.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }
}
