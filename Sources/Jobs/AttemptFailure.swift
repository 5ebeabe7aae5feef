import Operations
import Storage

/// A failed attempt: the reason that people are given, and whether trying again can help.
struct AttemptFailure {
    let reason: String
    let isFinal: Bool
    /// It is no fault of what was tried: it is tried again for as long as it takes.
    let isPassing: Bool
    /// A setting is wrong: it is tried again until people have seen to that, less and less often.
    let isOfASetting: Bool

    init(_ error: any Error) {
        switch error {
        case let error as JobFailure:
            reason = error.description
            isFinal = error.cause == .refused
            isPassing = error.cause == .unanswered
            isOfASetting = false
        case let error as OperationsError:
            reason = error.message
            isOfASetting = error.code == .misconfigured
            isFinal = error.code != .overloaded && !isOfASetting
            isPassing = error.code == .overloaded
        case let error where DatabaseFailure(error) == .unusableInput:
            reason = "It holds a value that cannot be stored."
            isFinal = true
            isPassing = false
            isOfASetting = false
        case let error where DatabaseFailure(error) == .busy:
            reason = "Somebody else is changing this customer; it is tried again."
            isFinal = false
            isPassing = true
            isOfASetting = false
        case let error where DatabaseFailure(error) == .away:
            reason = "The database did not answer in time; it is tried again."
            isFinal = false
            isPassing = true
            isOfASetting = false
        default:
            // Unexpected errors go to the log; staff see where to look.
            reason = "Internal error; the server's log has the details."
            isFinal = false
            isPassing = false
            isOfASetting = false
        }
    }

    /// True if the attempt is none of those that an item has.
    var doesNotCount: Bool { isPassing || isOfASetting }
}
