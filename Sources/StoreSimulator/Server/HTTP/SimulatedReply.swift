import Gateways

/// The end of a request to the simulated store.
enum SimulatedReply: Sendable {
    case response(StoreResponse)
    /// Half of the body, then the connection is closed.
    case cut(StoreResponse)
    /// The connection is closed without a word.
    case hangUp
    /// Nothing, until the other side gives up.
    case silence
}
