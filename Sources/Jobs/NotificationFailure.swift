import Operations
import Storage

/// What to tell people about a notification that could not be applied, and whether trying again can help.
struct NotificationFailure {
    let reason: String
    let isFinal: Bool

    init(_ error: any Error) {
        switch error {
        case let error as OperationsError:
            reason = error.message
            isFinal = error.code != .overloaded
        case let error where DatabaseFailure(error) == .unusableInput:
            reason = "It holds a value that cannot be stored."
            isFinal = true
        default:
            // Strangers are told in the log; people are told where to look.
            reason = "Internal error while applying; the server's log has the details."
            isFinal = false
        }
    }
}
