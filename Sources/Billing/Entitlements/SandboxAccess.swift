/// The customers to whom purchases in a store's sandbox give access: they cost nothing. The database and catalogues use the raw values.
package enum SandboxAccess: String, Sendable, Hashable, CaseIterable {
    /// Customers whom the app marks as testers.
    case testers
    /// To everybody who buys there, as while a store reviews the app: its reviewers buy in the sandbox and are nobody's testers.
    case everybody
}
