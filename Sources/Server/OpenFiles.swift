import Foundation

/// The limit on the process's descriptors; each connection takes one.
enum OpenFiles {
    /// More are of no use to us, and some programs that we start go through all there may be.
    private static let most: rlim_t = 65_536
    /// The descriptors that are no client's: the connections to PostgreSQL, files, pipes, what the system's libraries open.
    private static let ours = 256
    /// Each takes some tens of kilobytes.
    private static let mostConnections = 10_000

    /// Raises the limit as far as the system lets us without asking (`ulimit -Hn`), and returns what it is then.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        let wanted = min(limit.rlim_max, most)
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = wanted
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(min(limit.rlim_cur, most))
    }

    /// Returns the number of clients that may be connected with so many descriptors.
    static func connections(with descriptors: Int) -> Int {
        min(mostConnections, max(descriptors - ours, descriptors / 2, 1))
    }

    #if os(Linux)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
    private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
