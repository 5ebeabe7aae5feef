import Foundation
import Synchronization

/// A store that speaks as a test says: bytes over sockets on loopback, on a port that the system chose.
///
/// Each connection has a thread of its own, which ends with what the test says of it.
final class RawStore: Sendable {
    typealias Conversation = @Sendable (RawConnection) -> Void

    struct Unusable: Error {}

    let port: Int
    /// Without a slash at the end.
    let url: String
    private let listener: Int32
    private let accepted = Atomic(0)

    /// How many connections were made so far.
    var connections: Int { accepted.load(ordering: .acquiring) }

    init(onIPv6 isIPv6: Bool = false, _ conversation: @escaping Conversation) throws {
        listener = socket(isIPv6 ? AF_INET6 : AF_INET, Self.stream, 0)
        guard listener >= 0, Self.bind(listener, isIPv6), listen(listener, 1_024) == 0,
            let port = Self.port(of: listener, isIPv6)
        else { throw Unusable() }
        self.port = port
        url = isIPv6 ? "http://[::1]:\(port)" : "http://127.0.0.1:\(port)"
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { return }
                self?.accepted.add(1, ordering: .acquiringAndReleasing)
                Thread.detachNewThread {
                    conversation(RawConnection(socket: socket))
                    close(socket)
                }
            }
        }
    }

    /// Nobody listens any more; what is connected goes on.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func bind(_ socket: Int32, _ isIPv6: Bool) -> Bool {
        var (four, six) = (sockaddr_in(), sockaddr_in6())
        four.sin_family = sa_family_t(AF_INET)
        four.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_addr = in6addr_loopback
        return isIPv6 ? bind(socket, &six) : bind(socket, &four)
    }

    private static func bind<Address>(_ socket: Int32, _ address: inout Address) -> Bool {
        withUnsafeBytes(of: &address) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return Foundation.bind(socket, address, socklen_t(bytes.count)) == 0
        }
    }

    /// Of both families the port stands in the same place.
    private static func port(of socket: Int32, _ isIPv6: Bool) -> Int? {
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

/// One connection to a raw store; what it does blocks its thread.
struct RawConnection: Sendable {
    fileprivate let socket: Int32

    /// The next request whole, head and body; nil when there is none any more.
    func request() -> String? {
        var bytes: [UInt8] = []
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.firstRange(of: "\r\n\r\n"),
                text[end.upperBound...].utf8.count >= Self.bodyLength(of: text[..<end.lowerBound])
            {
                return text
            }
            guard let more = read() else { return nil }
            bytes += more
        }
    }

    /// - Returns: false when the other side is not there any more.
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

    /// Answers one request after the other, until there is none any more.
    func answerAll(_ answer: String) {
        while request() != nil { write(answer) }
    }

    /// Says nothing until the other side hangs up.
    func beSilent() {
        while read() != nil {}
    }

    /// Ends the connection with a reset, as a machine does that lost it.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func bodyLength(of head: Substring) -> Int {
        let lines = head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("content-length:") }
        return lines.first.flatMap { Int($0.dropFirst("content-length:".count).trimmingPrefix(" ")) } ?? 0
    }

    #if os(Linux)
    private static let noSignal = Int32(MSG_NOSIGNAL.rawValue)
    #else
    private static let noSignal: Int32 = 0
    #endif
}
