/// The meaning of an authentic store message.
package enum MessageContent: Sendable {
    case event(StoreEvent)
    /// It is about the app or a customer, and about no subscription. Of a message that has just come the gateway says `.unresolved`
    /// instead: it is kept first and read again when it is worked on.
    case notice(StoreNotice)
    /// The store has to be asked first; that is part of working on it.
    case unresolved
    /// It concerns no subscription, or nothing that is known here: it is kept and shown as ignored.
    case ignored
    /// It cannot be processed at all, with the reason: it is kept and shown as failed.
    case unreadable(String)

    /// The same, where an event has dates and prices that the books can keep; otherwise it is unreadable.
    package var keepable: MessageContent {
        switch self {
        case .event(let event):
            do {
                try event.requireKeepable()
                return self
            } catch {
                return .unreadable(error.message)
            }
        case .notice(let notice): return notice.problem.map(MessageContent.unreadable) ?? self
        case .unresolved, .ignored, .unreadable: return self
        }
    }

    package var event: StoreEvent? {
        switch self {
        case .event(let event): event
        case .notice, .unresolved, .ignored, .unreadable: nil
        }
    }

    package var isUnresolved: Bool {
        switch self {
        case .unresolved: true
        case .event, .notice, .ignored, .unreadable: false
        }
    }

    /// The reason that the message cannot be read.
    package var problem: String? {
        switch self {
        case .unreadable(let problem): problem
        case .event, .notice, .unresolved, .ignored: nil
        }
    }
}
