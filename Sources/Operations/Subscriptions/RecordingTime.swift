import Synchronization

/// When we count as having heard what a store says: numbers as of a day are of what was heard until its end.
package enum RecordingTime: Sendable {
    /// When it is applied.
    case whenApplied
    /// When the store signed it: a history that is played is heard as it happened.
    case whenSigned
}

/// The recording time of a process, which turns once a history has been played.
package final class RecordingClock: Sendable {
    private let current: Mutex<RecordingTime>

    package init(_ time: RecordingTime = .whenApplied) {
        current = Mutex(time)
    }

    package var time: RecordingTime { current.withLock { $0 } }

    package func turn(to time: RecordingTime) {
        current.withLock { $0 = time }
    }
}
