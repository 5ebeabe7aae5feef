import Foundation

// The only file that knows how we wait: poll(2) over a handful of sockets, and a pipe that another thread writes to
// when the polling thread must look at its inbox.

/// Waits on one thread for sockets and for a wake-up.
struct SocketReadiness {
    /// The events that a socket is waited for, and those that occurred.
    struct Interest: OptionSet {
        let rawValue: Int16

        static let reading = Self(rawValue: Int16(POLLIN))
        static let writing = Self(rawValue: Int16(POLLOUT))
        /// The other side is gone; always reported.
        static let broken = Self(rawValue: Int16(POLLERR | POLLHUP | POLLNVAL))
    }

    private let wakeUp: WakeUp
    private var entries: [pollfd] = []

    init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        entries.append(pollfd(fd: wakeUp.readEnd, events: Int16(POLLIN), revents: 0))
    }

    /// Sockets are answered for by `ready(at:)` in the order in which they were added.
    mutating func add(socket: Int32, for interest: Interest) {
        entries.append(pollfd(fd: socket, events: interest.rawValue, revents: 0))
    }

    /// Blocks until something is ready, somebody wakes us, or the time is over; nil waits without end.
    mutating func wait(timeout: Duration?) {
        // safe: the pool's own deadlines
        let milliseconds = timeout.map { Int32(clamping: max(0, Int64(($0 / .milliseconds(1)).rounded(.up)))) } ?? -1
        let count = poll(&entries, nfds_t(entries.count), milliseconds)
        guard count > 0 else {
            for index in entries.indices { entries[index].revents = 0 }
            return
        }
        if entries[0].revents != 0 { wakeUp.drain() }
    }

    func ready(at index: Int) -> Interest {
        Interest(rawValue: entries[index + 1].revents)
    }
}

/// A pipe by which any thread ends the polling thread's wait.
final class WakeUp: Sendable {
    fileprivate let readEnd: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // safe: once, while the process starts
        precondition(pipe(&ends) == 0, "the process has no file descriptors left for a pipe")
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    fileprivate func drain() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(readEnd, &bytes, 16) == 16 {}
    }
}
