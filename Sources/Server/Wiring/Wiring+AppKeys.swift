import Billing
import Foundation
import Operations
import Storage

/// The secret keys of apps, for the command line.
extension Wiring {
    /// A new secret key; its text is not kept anywhere.
    ///
    /// - Throws: `OperationsError` with `.notFound` for an app that there is not, `.invalid` for name or scope, `.conflict` when
    ///   two keys live.
    package func issueAppKey(named name: String, of slug: String, scopes: [String]) async throws -> String {
        let known = try scopes.map { text in
            guard let scope = AppKeyScope(rawValue: text) else {
                let all = AppKeyScope.allCases.map(\.rawValue).joined(separator: ", ")
                throw OperationsError(.invalid, "A scope is one of \(all), not \(text).", field: "scope")
            }
            return scope
        }
        let issued = try await withBackOffice { backOffice in
            try await backOffice.issueAppKey(
                named: name,
                scopes: Set(known),
                of: try await app(slug, backOffice),
                caller: .systemUser
            )
        }
        return issued?.text.revealed ?? ""
    }

    /// One line per key: id, name, what it may do, who made it, whether it lives, and when it was used last.
    package func appKeyLines(of slug: String) async throws -> [String] {
        try await withBackOffice { backOffice in
            try await backOffice.appKeys(of: try await app(slug, backOffice)).map { key in
                let state = key.revocation.map { "revoked \($0.at.formatted(.iso8601))" } ?? "live"
                let used = key.lastUsedAt.map { "used \($0.formatted(.iso8601))" } ?? "never used"
                let scopes = key.scopes.map(\.rawValue).joined(separator: " ")
                return [key.id.description, key.name, scopes, key.createdAs, state, used].joined(separator: "\t")
            }
        }
    }

    /// Revokes one key and says which it was.
    package func revokeAppKey(_ text: String, of slug: String, reason: String) async throws -> String {
        let reason = try Reason(category: Reason.Category.other.rawValue, text: reason)
        return try await withBackOffice { backOffice in
            let app = try await app(slug, backOffice)
            guard let id = AppKey.ID(text), let key = try await backOffice.listedAppKey(id, of: app) else {
                throw OperationsError(.notFound, "There is no key \(text): `perennial app-key list` has the ids.")
            }
            try await backOffice.revokeAppKey(id, of: app, reason: reason, caller: .systemUser)
            return "The key \(key.name) of \(slug) is revoked."
        }
    }
}
