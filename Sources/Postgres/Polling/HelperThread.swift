import Foundation
import Synchronization

/// A thread for what blocks, which is joined before the program ends.
///
/// libpq and OpenSSL keep things in memory that `exit` tears down: a thread that connects meanwhile, or that is itself about
/// to end, reads what is not there any more, and a program that did its work ends with SIGSEGV. Foundation's `Thread` cannot
/// be joined.
struct HelperThread: @unchecked Sendable {
    // A thread's handle never changes, and any thread may join it; on macOS it is a pointer, which Swift cannot know that of.
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        let isOver = Atomic(false)
        let ended = DispatchSemaphore(value: 0)

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }

        func perform() {
            run()
            isOver.store(true, ordering: .releasing)
            ended.signal()
        }
    }

    private static let unjoined = Atomic(0)

    private let work: Work
    private let handle: pthread_t

    /// The number of threads that were started and not joined; while there are any, the program must not run what `exit` runs.
    static var unjoinedCount: Int { unjoined.load(ordering: .acquiring) }

    /// Starts a thread; nil when the system has none left.
    init?(_ run: @escaping @Sendable () -> Void) {
        let work = Work(run)
        let retained = Unmanaged.passRetained(work)
        #if os(Linux)
        var thread = pthread_t()
        let failure = pthread_create(
            &thread,
            nil,
            { pointer in
                if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().perform() }
                return nil
            },
            retained.toOpaque()
        )
        let started: pthread_t? = thread
        #else
        var started: pthread_t?
        let failure = pthread_create(
            &started,
            nil,
            { pointer in
                Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().perform()
                return nil
            },
            retained.toOpaque()
        )
        #endif
        guard failure == 0, let started else {
            retained.release()
            return nil
        }
        self.work = work
        handle = started
        Self.unjoined.add(1, ordering: .acquiringAndReleasing)
    }

    /// It has done its work, so that joining it takes no time.
    var isOver: Bool { work.isOver.load(ordering: .acquiring) }

    /// Waits for its end and takes it back; call it once.
    ///
    /// - Returns: false when it does not end in time. It is left to itself then, and stays unjoined.
    @discardableResult
    func join(within limit: Duration) -> Bool {
        let nanoseconds = Int(clamping: Int64(limit / .nanoseconds(1)))  // safe: a limit of seconds
        guard work.ended.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else {
            pthread_detach(handle)
            return false
        }
        pthread_join(handle, nil)
        Self.unjoined.subtract(1, ordering: .acquiringAndReleasing)
        return true
    }
}

/// Threads of this module at the end of the program.
package enum HelperThreads {
    /// True when one was left behind that does not end, for example because a name server does not answer it: the program must
    /// leave by `_exit` then.
    package static var areLeft: Bool { HelperThread.unjoinedCount > 0 }
}
