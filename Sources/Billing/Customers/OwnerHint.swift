/// The part of an account that is revealed to somebody who presents a purchase of it, so that they know which account to sign in to. The
/// raw values are those of catalogues and the database. A bare transaction id reveals nothing.
package enum OwnerHint: String, Hashable, Sendable, CaseIterable {
    case none
    /// The provider with which the owner last signed in.
    case provider
    /// The provider, and the owner's e-mail address, masked.
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
