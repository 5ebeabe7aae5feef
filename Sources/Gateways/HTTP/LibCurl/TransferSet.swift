import CCurl

/// libcurl's set of transfers that run side by side, with the connections that they leave open for each other.
///
/// Only its thread may call it; `wake` alone comes from others.
struct TransferSet: @unchecked Sendable {
    // A pointer that never changes, to what has one owner.
    private let pointer: UnsafeMutableRawPointer

    /// - Returns: nil when the system has no memory or descriptors left.
    init?(connections: Int) {
        guard Self.isLibraryReady, let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
        keep(connections: connections)
    }

    /// The number of connections, with those in use, above which an unused one is closed.
    func keep(connections: Int) {
        ccurl_set_limit(pointer, CURLMOPT_MAXCONNECTS, connections)
    }

    /// Prepares libcurl for the process, which the first set would do otherwise.
    static func prepareLibrary() {
        _ = isLibraryReady
    }

    /// Closes its connections; it must not be used afterwards, nor hold a transfer.
    func close() {
        curl_multi_cleanup(pointer)
    }

    /// - Returns: true if it accepted the transfer.
    func add(_ transfer: Transfer) -> Bool {
        curl_multi_add_handle(pointer, transfer.handle) == CURLM_OK
    }

    /// Ends a transfer; where it was not over, its connection is closed.
    func remove(_ transfer: Transfer) {
        curl_multi_remove_handle(pointer, transfer.handle)
    }

    /// Reads and writes what can be without waiting.
    func perform() {
        var running: CInt = 0
        curl_multi_perform(pointer, &running)
    }

    /// One that has come to its end, which has to be removed then.
    func nextFinished() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: CInt = 0
        while let message = curl_multi_info_read(pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            return (handle, message.pointee.data.result)
        }
        return nil
    }

    /// Waits until a connection can go on, libcurl has something to do, somebody calls `wake`, or the time is over.
    func wait(atMost limit: Duration) {
        let milliseconds = (limit / .milliseconds(1)).rounded(.up)
        curl_multi_poll(pointer, nil, 0, CInt(exactly: max(0, min(milliseconds, 3_600_000))) ?? 0, nil)
    }

    func wake() {
        curl_multi_wakeup(pointer)
    }

    private static let isLibraryReady = curl_global_init(allOfIt) == CURLE_OK
    /// `CURL_GLOBAL_ALL`, a macro that Swift does not import.
    private static let allOfIt = 3
}
