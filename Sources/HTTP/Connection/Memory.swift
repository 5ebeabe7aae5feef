import Foundation

/// The memory that this process has and does not use.
package enum Memory {
    private typealias Trim = @convention(c) (Int) -> Int32

    /// Of the C library, where it has one: glibc does, and no module of Swift names it.
    private static let trim: Trim? = dlsym(nil, "malloc_trim").map { unsafeBitCast($0, to: Trim.self) }

    /// Gives the system back whole pages that are free; glibc keeps those in the middle for itself unless it is asked.
    package static func giveBack() {
        _ = trim?(0)
    }
}
