import Foundation
import Synchronization

/// A store that sends the bytes of a test over sockets on loopback, on a port that the system chose.
///
/// Each connection has a thread of its own, which runs the test's conversation and ends with it.
final class RawStore: Sendable {
    typealias Conversation = @Sendable (RawConnection) -> Void

    struct Unusable: Error {}

    let port: Int
    /// The store's URL, without a slash at the end.
    let url: String
    private let accepted = Atomic(0)
    private let isStopped = Atomic(false)
    private let isClosed = DispatchSemaphore(value: 0)
    private let isIPv6: Bool

    /// The number of connections made so far.
    var connections: Int { accepted.load(ordering: .acquiring) }

    init(onIPv6 isIPv6: Bool = false, _ conversation: @escaping Conversation) throws {
        let listener = socket(isIPv6 ? AF_INET6 : AF_INET, Self.stream, 0)
        guard listener >= 0, Self.with(port: 0, isIPv6, { bind(listener, $0, $1) }) == 0, listen(listener, 1_024) == 0,
            let port = Self.port(of: listener)
        else { throw Unusable() }
        self.port = port
        self.isIPv6 = isIPv6
        url = isIPv6 ? "http://[::1]:\(port)" : "http://127.0.0.1:\(port)"
        Thread.detachNewThread { self.accept(on: listener, conversation) }
    }

    /// Stops listening; open connections go on.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        // Wakes the thread that waits for a connection.
        let own = socket(isIPv6 ? AF_INET6 : AF_INET, Self.stream, 0)
        _ = Self.with(port: port, isIPv6) { connect(own, $0, $1) }
        close(own)
        isClosed.wait()
    }

    /// Accepts connections, and closes the listener on the same thread: a descriptor closed elsewhere may be another store's by
    /// now.
    private func accept(on listener: Int32, _ conversation: @escaping Conversation) {
        while true {
            let socket = Foundation.accept(listener, nil, nil)
            guard socket >= 0, !isStopped.load(ordering: .acquiring) else {
                close(socket)
                close(listener)
                isClosed.signal()
                return
            }
            accepted.add(1, ordering: .acquiringAndReleasing)
            Thread.detachNewThread {
                conversation(RawConnection(socket: socket))
                close(socket)
            }
        }
    }

    private static func with(
        port: Int,
        _ isIPv6: Bool,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var (four, six) = (sockaddr_in(), sockaddr_in6())
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        four.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = four.sin_port
        six.sin6_addr = in6addr_loopback
        return isIPv6 ? with(&six, body) : with(&four, body)
    }

    private static func with<Address>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map { body($0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) } ?? -1
        }
    }

    private static func port(of socket: Int32) -> Int? {
        // The port has the same place in addresses of both kinds.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isKnown = withUnsafeMutableBytes(of: &address) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return getsockname(socket, address, &length) == 0
        }
        return isKnown ? Int(UInt16(bigEndian: address.sin6_port)) : nil
    }

    #if os(Linux)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif
}

/// A connection to a raw store; its functions block their thread.
struct RawConnection: Sendable {
    fileprivate let socket: Int32

    /// Returns the next request whole, head and body; nil when there is none any more.
    func request() -> String? {
        var bytes: [UInt8] = []
        var length: Int?
        while true {
            if length == nil, let end = bytes.firstRange(of: Self.headEnd) {
                length = end.upperBound + Self.bodyLength(of: String(decoding: bytes[..<end.lowerBound], as: UTF8.self))
            }
            if let length, bytes.count >= length { return String(decoding: bytes, as: UTF8.self) }
            guard let more = read() else { return nil }
            bytes += more
        }
    }

    /// - Returns: false when the other side is gone.
    @discardableResult
    func write(_ text: String) -> Bool {
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Self.noSignal) }
            guard count > 0 else { return false }
            left = left.dropFirst(count)
        }
        return true
    }

    /// Answers one request after another, until there is none any more.
    func answerAll(_ answer: String) {
        while request() != nil { write(answer) }
    }

    /// Says nothing until the other side hangs up.
    func beSilent() {
        while read() != nil {}
    }

    /// Ends the connection with a reset, as a machine that has lost it does.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func bodyLength(of head: String) -> Int {
        let lines = head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("content-length:") }
        return lines.first.flatMap { Int($0.dropFirst("content-length:".count).trimmingPrefix(" ")) } ?? 0
    }

    private static let headEnd = Array("\r\n\r\n".utf8)

    #if os(Linux)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
    private static let noSignal: Int32 = 0
    #endif
}
