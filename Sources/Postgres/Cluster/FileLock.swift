import Foundation

/// A file that one process holds at a time. The kernel frees it however the process ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock of a file that is there; nil when somebody else holds it, or there is none that can be taken.
    package convenience init?(of file: String) {
        self.init(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    }

    /// Takes the lock of a file that it makes, readable by its owner alone; nil where a file has no locks, or cannot be made.
    package convenience init?(making file: String) {
        self.init(file, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL)
    }

    private init?(_ file: String, _ flags: Int32) {
        descriptor = open(file, flags, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // A program that another thread is starting at this moment has our files until it begins, and the lock with them.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
