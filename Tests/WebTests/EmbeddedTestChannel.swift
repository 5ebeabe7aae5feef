import NIOCore
import NIOEmbedded

/// A channel without a peer, for contexts that are made by hand.
enum EmbeddedTestChannel {
    static func make() -> any Channel { NIOAsyncTestingChannel() }
}
