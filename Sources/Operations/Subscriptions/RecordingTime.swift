/// When we count as having heard what a store says: numbers as of a day are of what was heard until its end.
package enum RecordingTime: Sendable {
    /// When it is applied.
    case whenApplied
    /// When the store signed it: a history that is played is heard as it happened.
    case whenSigned
}
