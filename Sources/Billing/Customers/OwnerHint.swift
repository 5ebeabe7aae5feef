/// How much of an account is told to who shows a purchase of it, so that they know which account to sign in to. Raw values are
/// those of catalogues and the database. Who sends a bare id is told nothing.
package enum OwnerHint: String, Hashable, Sendable, CaseIterable {
    case none
    /// At which provider the owner signed in last.
    case provider
    /// Also their e-mail address, masked.
    case email
}

extension OwnerHint {
    /// An address of which its owner knows their own and nobody else learns it: `a•••@e•••.com`.
    ///
    /// - Returns: nil for what is no address.
    package static func masked(_ address: String) -> String? {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, let domain = parts[1].first else { return nil }
        let end = parts[1].split(separator: ".").dropFirst().last.map { ".\($0)" } ?? ""
        return "\(first)•••@\(domain)•••\(end)"
    }
}
