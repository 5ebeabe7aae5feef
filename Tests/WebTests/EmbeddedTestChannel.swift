import NIOCore
import NIOEmbedded

/// A channel that leads nowhere, for contexts that are made by hand.
enum EmbeddedTestChannel {
    static func make() -> any Channel { NIOAsyncTestingChannel() }
}
