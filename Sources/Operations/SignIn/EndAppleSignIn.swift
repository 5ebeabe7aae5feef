import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Applies Apple's message about an account, in the transaction that keeps it.
    ///
    /// A person who stopped using their Apple Account with the app is signed out of the sessions that they opened with it; the account
    /// stays theirs for the next time. If the Apple Account itself was deleted, so is the customer's account if it had no other identity;
    /// otherwise only the link. Messages from before their latest sign-in have no effect. For a relay address, the customer's record notes
    /// that mail to it is forwarded or not, without the address.
    func follow(
        _ notification: AppleAccountNotification,
        of app: App.ID,
        in transaction: WriteTransaction
    ) async throws {
        guard let type = notification.type else { return }
        try await transaction.signIns.lock([notification.subject], at: .apple, app: app)
        while let owner = try await transaction.signIns.owner(of: [notification.subject], at: .apple, app: app) {
            guard try await transaction.signIns.lock(owner.customer, of: app) else { continue }
            let isLate = notification.happenedAt.map { $0 < owner.lastSignInAt } ?? false
            return switch type {
            case .emailEnabled: try await note(.turnOnEmailRelay, of: owner, app, [], in: transaction)
            case .emailDisabled: try await note(.turnOffEmailRelay, of: owner, app, [], in: transaction)
            case .consentRevoked where isLate, .accountDeleted where isLate: ()
            case .consentRevoked: try await endAppleSessions(of: owner, app, in: transaction)
            case .accountDeleted: try await endAppleIdentity(of: owner, app, in: transaction)
            }
        }
    }

    private func endAppleSessions(
        of owner: SignInWrites.Owned,
        _ app: App.ID,
        in transaction: WriteTransaction
    ) async throws {
        let sessions = try await transaction.signIns.endSessions(
            of: owner.customer,
            begunWith: .apple,
            owner.identity
        )
        try await note(.endIdentity, of: owner, app, [("sessions", String(sessions))], in: transaction)
    }

    private func endAppleIdentity(
        of owner: SignInWrites.Owned,
        _ app: App.ID,
        in transaction: WriteTransaction
    ) async throws {
        let others = try await transaction.signIns.identities(of: owner.customer).filter { $0.id != owner.identity }
        let isNamed = try await transaction.customers.isNamed(owner.customer)
        guard !others.isEmpty || isNamed else {
            _ = try await deleteAccount(
                of: owner.customer,
                app,
                by: .store(.apple),
                ended: owner.identity,
                in: transaction
            )
            return
        }
        _ = try await transaction.signIns.endSessions(of: owner.customer, begunWith: .apple, owner.identity)
        _ = try await transaction.signIns.remove([owner.identity], isOver: true)
        try await note(.removeIdentity, of: owner, app, [], in: transaction)
    }

    private func note(
        _ action: AuditAction,
        of owner: SignInWrites.Owned,
        _ app: App.ID,
        _ facts: [(String, String?)],
        in transaction: WriteTransaction
    ) async throws {
        try await transaction.audit.append(
            Caller.store(.apple).entry(
                action,
                on: "customer",
                owner.customer.description,
                app: app,
                customer: owner.customer,
                after: AuditJSON([("provider", AuthProvider.apple.rawValue)] + facts).text
            )
        )
    }
}
