/// The sizes and times a pool keeps to.
struct PoolLimits {
    var sharedConnections = 4
    var exclusiveConnections = 8
    var pipelineDepth = 2
    var queueLimit = 20_000
    var acquireTimeout = Duration.seconds(5)
    /// The time after which a thread that connects is given up.
    var connectTimeout = Duration.seconds(15)
    /// The time after which an exclusive connection that nobody wants is closed.
    var idleTimeout = Duration.seconds(60)
    var backoff = Backoff()
}
