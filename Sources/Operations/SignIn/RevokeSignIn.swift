import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Ends a sign-in at its provider, whose customer had their account deleted. While the provider does not answer it is tried again,
    /// for more than a day; then it waits for people.
    func revokeSignIn(_ leased: LeasedJob) async throws -> JobProgress {
        let id = SignInRevocation.ID(leased.subject)
        let revocation = try await database.readPrimary { try await $0.signInRevocation(id, of: leased.app) }
        guard let revocation else { return try await end(leased) }
        guard let cipher, let entry = try await apps.entry(for: leased.app) else {
            throw JobFailure("There is no key to open secrets with. Set PERENNIAL_SECRET.")
        }
        do {
            let opened = try cipher.open(revocation.sealedRefreshToken, for: id.uuid)
            let provider = try gateways.signIn(with: revocation.provider, of: entry.accounts)
            try await provider.revoke(
                Secret(String(decoding: opened, as: UTF8.self)),
                clientID: revocation.clientID,
                at: database.now
            )
        } catch let error as SignInError {
            throw JobFailure(error.message)
        } catch let error as OperationsError {
            throw JobFailure(error.message)
        }
        do {
            try await database.write { transaction in
                try await transaction.signIns.forget(id)
                guard try await transaction.jobs.complete(leased.lease) else { throw LeaseLost() }
            }
        } catch is LeaseLost {
            return .leaseLost
        }
        return .finished
    }
}
