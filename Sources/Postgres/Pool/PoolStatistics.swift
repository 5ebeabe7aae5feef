/// A snapshot of a pool's work, as of a moment ago.
package struct PoolStatistics: Sendable, Equatable {
    /// Shared connections that are open.
    package var sharedOpen = 0
    /// Exclusive connections that are open and free.
    package var exclusiveIdle = 0
    package var exclusiveLent = 0
    /// Connections that are being opened, or will be once their pause is over.
    package var connecting = 0
    /// Queries that wait for a shared connection.
    package var queuedQueries = 0
    /// Tasks that wait for an exclusive connection.
    package var queuedLeases = 0
    /// Since the start.
    package var queriesDone = 0
    package var connectionsOpened = 0
    package var connectionsLost = 0
}
