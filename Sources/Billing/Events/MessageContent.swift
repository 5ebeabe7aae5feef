/// What a store's authentic message means.
package enum MessageContent: Sendable {
    case event(StoreEvent)
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
        case .unresolved, .ignored, .unreadable: return self
        }
    }

    package var event: StoreEvent? {
        switch self {
        case .event(let event): event
        case .unresolved, .ignored, .unreadable: nil
        }
    }

    package var isUnresolved: Bool {
        switch self {
        case .unresolved: true
        case .event, .ignored, .unreadable: false
        }
    }

    /// Why it cannot be read.
    package var problem: String? {
        switch self {
        case .unreadable(let problem): problem
        case .event, .unresolved, .ignored: nil
        }
    }
}
