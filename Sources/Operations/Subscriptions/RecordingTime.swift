import Synchronization

/// The rule for `recorded_at`, the time at which we learn of an event: metrics as of a day count the events recorded until its end.
package enum RecordingTime: Sendable {
    /// The time at which it is applied.
    case whenApplied
    /// The time at which the store signed it: a replayed history is recorded as it happened.
    case whenSigned
}

/// The recording time of a process, which changes once a history has been replayed.
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
