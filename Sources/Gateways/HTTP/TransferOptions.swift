/// The settings under which a request is carried.
struct TransferOptions: Hashable, Sendable {
    /// The time that a connection may take to be made: name, TCP and TLS.
    var connectTimeout = Duration.seconds(5)
    var requestsPerHost = usualRequestsPerHost
    var proxy = StoreProxy.none
    /// A file of certificates in PEM that are trusted instead of the system's.
    var roots: String?

    package static let usualRequestsPerHost = 32
    /// The longest that all headers of an answer may be, in bytes.
    static let longestHead = 64 << 10
}
