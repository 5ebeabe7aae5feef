import Postgres

/// What several events of one subscription change, and is still to be written in their transaction.
package struct UnwrittenChanges: Sendable {
    var statements: [Query] = []
    /// What makes its row what the last event left it.
    var subscription: Query?

    package init() {}
}
