/// The meaning of an authentic store message.
package enum MessageContent: Sendable {
    case event(StoreEvent)
    /// Several subscriptions that were bought together: the first event is the main one's. All are applied, or none.
    case events([StoreEvent])
    /// It is about the app or a customer, and about no subscription. Of a message that has just come the gateway says `.unresolved`
    /// instead: it is kept first and read again when it is worked on.
    case notice(StoreNotice)
    /// The store has to be asked first; that is part of working on it.
    case unresolved
    /// It concerns no subscription, or nothing that is known here: it is kept and shown as ignored.
    case ignored
    /// It cannot be processed at all, with the reason: it is kept and shown as failed.
    case unreadable(String)

    /// A content of as many events.
    package init(_ events: [StoreEvent]) {
        self = events.count > 1 ? .events(events) : events.first.map(MessageContent.event) ?? .ignored
    }

    /// The same, where an event has dates and prices that the books can keep; otherwise it is unreadable.
    package var keepable: MessageContent {
        switch self {
        case .event, .events:
            do {
                for event in events { try event.requireKeepable() }
                return self
            } catch {
                return .unreadable(error.message)
            }
        case .notice(let notice): return notice.problem.map(MessageContent.unreadable) ?? self
        case .unresolved, .ignored, .unreadable: return self
        }
    }

    /// The main one first.
    package var events: [StoreEvent] {
        switch self {
        case .event(let event): [event]
        case .events(let events): events
        case .notice, .unresolved, .ignored, .unreadable: []
        }
    }

    package var isUnresolved: Bool {
        switch self {
        case .unresolved: true
        case .event, .events, .notice, .ignored, .unreadable: false
        }
    }

    /// The reason that the message cannot be read.
    package var problem: String? {
        switch self {
        case .unreadable(let problem): problem
        case .event, .events, .notice, .unresolved, .ignored: nil
        }
    }
}
