/// To whom what is bought in a store's sandbox gives access: it costs nothing. Raw values stand in the database and in catalogues.
package enum SandboxAccess: String, Sendable, Hashable, CaseIterable {
    /// To customers whom the app marks as testers.
    case testers
    /// To everybody who buys there, as while a store reviews the app: its reviewers buy in the sandbox and are nobody's testers.
    case everybody
}
