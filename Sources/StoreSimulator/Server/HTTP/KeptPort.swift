import Foundation

/// A port of 127.0.0.1 that stays somebody's own while nobody listens on it: it is bound here, and whoever connects is refused.
///
/// The system gives a bound port neither to those who ask for any nor to connections that go out. A listener that allows the reuse
/// of its address (SO_REUSEADDR) is bound beside this one. Only on Linux is that so: elsewhere the port was free a moment ago.
package final class KeptPort: Sendable {
    package let number: Int
    private let descriptor: Int32

    /// - Throws: `POSIXError` where the system has none left.
    package init() throws {
        #if os(Linux)
        let stream = Int32(truncatingIfNeeded: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        var reuses: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
                bind(descriptor, own, size) == 0 && getsockname(descriptor, own, &size) == 0
            }
        }
        guard isBound else {
            let code = POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE
            close(descriptor)
            throw POSIXError(code)
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        #if os(Linux)
        self.descriptor = descriptor
        #else
        close(descriptor)
        self.descriptor = -1
        #endif
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
