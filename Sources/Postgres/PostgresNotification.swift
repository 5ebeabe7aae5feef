/// A notification that a listener receives, or a change of its connection.
package enum PostgresNotification: Sendable, Hashable {
    /// A notification of the channel.
    case message(channel: String, payload: String, processID: Int32)
    /// Notifications may have been missed: the connection was lost and is back, or the listener was too slow.
    /// Read again what the notifications are about.
    case reconnected
    /// The connection was lost: notifications are missed until `reconnected`.
    case disconnected

    /// The notification's payload; nil for changes of the connection.
    package var payload: String? {
        switch self {
        case .message(_, let payload, _): payload
        case .reconnected, .disconnected: nil
        }
    }
}
