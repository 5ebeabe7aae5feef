import Billing
package import Foundation
import Operations
import Storage

extension Wiring {
    /// A new access token for a customer of an app; its text is not kept anywhere.
    ///
    /// - Throws: `OperationsError` for an app that there is not, and an id that cannot be kept.
    package func customerToken(for externalID: String, of slug: String, minutes: Int) async throws -> String {
        try await withBackOffice { backOffice in
            let app = try await self.app(slug, backOffice)
            return try await backOffice.mintToken(
                for: CustomerIdentity(externalID: externalID, isAnonymous: false),
                of: app,
                lifetime: Double(minutes) * 60,
                caller: .systemUser
            ).accessToken.revealed
        }
    }

    /// Marks a customer as a tester, or as none any more.
    ///
    /// - Parameter customer: the id, or the account token.
    /// - Returns: since when they are one; nil for who is none.
    /// - Throws: `OperationsError` for an app or a customer that there is not.
    package func markTester(_ isTester: Bool, _ customer: UUID, of slug: String) async throws -> Date? {
        try await withBackOffice { backOffice in
            let app = try await self.app(slug, backOffice)
            return try await backOffice.mark(asTester: isTester, token: customer, app: app, caller: .systemUser)
        }
    }
}
