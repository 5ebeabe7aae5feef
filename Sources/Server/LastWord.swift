import Foundation

/// The last words of a program that leaves; a reader that has stopped does not hold it up.
enum LastWord {
    /// Says it on a thread of its own, and returns when it is said, or after half a second.
    static func say(_ words: @escaping @Sendable () -> Void) {
        let isSaid = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            words()
            isSaid.signal()
        }
        _ = isSaid.wait(timeout: .now() + .milliseconds(500))
    }
}
