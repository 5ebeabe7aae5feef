package import Billing
import Foundation
import Gateways
package import Storage

extension BackOffice {
    /// Verifies a store's notification and keeps it; it is processed later (product.md, decision 7).
    ///
    /// - Parameters:
    ///   - payload: the signed text, kept as it is.
    ///   - headers: by lower-case name, if the signature is there.
    ///   - slug: the app whose webhook it came to; nil where the message itself names its app.
    ///   - reconciliation: the reconciliation that fetched it; nil for one that the store delivers.
    /// - Returns: after the commit, even if the same notification was there already.
    /// - Throws: `OperationsError`: `.notFound` where nothing is taken in from the store, `.notAuthentic`, `.wrongApp`, or `.overloaded` and
    ///   `.misconfigured` if it could not be stored and should be sent again.
    @discardableResult
    package func receiveNotification(
        _ payload: String,
        headers: [String: String] = [:],
        from store: Store,
        forApp slug: String? = nil,
        foundBy reconciliation: Reconciliation.ID? = nil
    ) async throws -> NotificationInbox.Outcome {
        guard let gateway = gateways[store] else { throw Self.nothingTaken(from: store) }
        let now = database.now
        let delivery = StoreDelivery(payload, headers: headers)
        let (message, app) = try await authentic(delivery, forApp: slug, by: gateway, at: now)
        let received = ReceivedNotification(
            id: Identifier(database.newUUID()),
            app: app,
            store: store,
            environment: message.environment,
            notificationUUID: message.key,
            type: message.typeLabel,
            subtype: message.subtypeLabel,
            signedAt: message.signedAt,
            receivedAt: now,
            signedPayload: message.keptText ?? payload,
            content: message.content.keepable,
            reconciliation: reconciliation
        )
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

    private func authentic(
        _ delivery: StoreDelivery,
        forApp slug: String?,
        by gateway: any StoreGateway,
        at now: Date
    ) async throws -> (StoreMessage, App.ID) {
        do {
            if let slug { return try await verified(delivery, forApp: slug, by: gateway, at: now) }
            do {
                return try await verified(delivery, by: gateway, at: now)
            } catch {
                // Of a store that only signs people in nothing is taken in, whatever it is.
                guard try await isTaking(gateway) else { throw Self.nothingTaken(from: gateway.store) }
                throw error
            }
        } catch let error as OperationsError {
            throw error
        } catch let error as GatewayError {
            throw OperationsError(error)
        } catch {
            throw OperationsError(.overloaded, "The apps could not be read.", retryAfter: 5, underlying: error)
        }
    }

    private func verified(
        _ delivery: StoreDelivery,
        by gateway: any StoreGateway,
        at now: Date
    ) async throws -> (StoreMessage, App.ID) {
        let message = try gateway.open(delivery)
        if let seats = message.claimedSeats, try message.claimedIdentifier == nil,
            let found = try await verified(message, about: seats, by: gateway, at: now)
        {
            return found
        }
        guard let identifier = try message.claimedIdentifier,
            let app = try await apps.entry(at: gateway.store, knownAs: identifier),
            let account = app.accounts[gateway.store]
        else { throw Self.wrongApp(gateway) }
        return (try await message.verify(for: account, at: now), app.record.id)
    }

    /// A message to an app's own webhook is for that app and for no other.
    private func verified(
        _ delivery: StoreDelivery,
        forApp slug: String,
        by gateway: any StoreGateway,
        at now: Date
    ) async throws -> (StoreMessage, App.ID) {
        guard let app = try await apps.entry(named: slug), let account = app.accounts[gateway.store],
            gateway.takesNotifications(for: account)
        else { throw Self.nothingTaken(from: gateway.store) }
        let message = try gateway.open(delivery)
        if let identifier = try message.claimedIdentifier, identifier != account.identifier {
            throw Self.wrongApp(gateway)
        }
        return (try await message.verify(for: account, at: now), app.record.id)
    }

    /// True if the store reports the purchases of some app.
    private func isTaking(_ gateway: any StoreGateway) async throws -> Bool {
        let accounts = try await apps.entries(at: gateway.store).compactMap { $0.accounts[gateway.store] }
        return accounts.isEmpty || accounts.contains { gateway.takesNotifications(for: $0) }
    }

    private static func nothingTaken(from store: Store) -> OperationsError {
        OperationsError(.notFound, "Nothing is taken in from \(store.rawValue).")
    }

    private static func wrongApp(_ gateway: any StoreGateway) -> OperationsError {
        OperationsError(
            .wrongApp,
            "No app here sells under this notification's \(gateway.identifier.name).",
            field: gateway.identifier.field
        )
    }

    /// The bodies of the answers to a store's notifications; nil where their statuses say enough.
    package func deliveryAnswers(of store: Store) -> DeliveryAnswers? { gateways[store]?.deliveryAnswers }
}

extension BackOffice {
    /// A message that need not name its app is for the app whose seats it names; where none has them, for the first whose account
    /// verifies it.
    ///
    /// - Returns: nil if no app sells there.
    /// - Throws: the reason that the first account does not verify it.
    private func verified(
        _ message: any UnverifiedMessage,
        about seats: [String],
        by gateway: any StoreGateway,
        at now: Date
    ) async throws -> (StoreMessage, App.ID)? {
        let owner = try await database.readPrimary { try await $0.seatClaims.app(of: seats, at: gateway.store) }
        let entries = try await apps.entries(at: gateway.store)
        var failure: GatewayError?
        for app in entries.filter({ owner == nil || $0.record.id == owner }) {
            guard let account = app.accounts[gateway.store] else { continue }
            do throws(GatewayError) {
                return (try await message.verify(for: account, at: now), app.record.id)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }
}

extension OperationsError {
    /// The same error in the terms of the back office.
    init(_ error: GatewayError) {
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

    /// The error for a failed query to a store: only a refusal is final.
    init(_ failure: StoreFailure) {
        switch failure {
        case .refused(let refusal): self.init(refusal.reason)
        case .unanswered(let reason): self.init(.overloaded, reason.message, retryAfter: 30, underlying: failure)
        case .misconfigured(let reason): self.init(.misconfigured, reason.message, underlying: failure)
        }
    }
}
