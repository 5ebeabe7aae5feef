import Synchronization

/// A message from the program to the polling thread.
enum Message: @unchecked Sendable {
    // `opened` carries a PGConnection, which is not Sendable: the thread that opened it lets go of it here.
    case submit(PendingQuery)
    case withdrawn
    case lend(LeaseRequest)
    case leaseWithdrawn
    case perform(PendingQuery, WireID)
    case interrupt(PendingQuery, WireID, PostgresError.Code)
    case attend(WireID)
    case takeBack(WireID)
    case opened(WireID, Result<PGConnection, PostgresError>)
    case interrupted(WireID)
    case subscribe(ListenSubscription)
    case unsubscribe(ListenSubscription)
    case drain
    case close
}

/// The identity of a connection: its slot, and its number among the connections that the slot has had.
struct WireID: Hashable, Sendable {
    var slot: Int
    var generation: Int
}

/// A mailbox with one reader; the reader is woken only when it sleeps.
final class Mailbox: Sendable {
    private struct State {
        var messages: [Message] = []
        var isReaderAsleep = false
        var isClosed = false
    }

    let wakeUp = WakeUp()
    private let state = Mutex(State())

    /// Leaves a message; one left after the end is refused, so that nobody waits for an answer.
    func post(_ message: Message) {
        let (mustWake, isClosed) = state.withLock { state in
            guard !state.isClosed else { return (false, true) }
            state.messages.append(message)
            defer { state.isReaderAsleep = false }
            return (state.isReaderAsleep, false)
        }
        if mustWake { wakeUp.wake() }
        if isClosed { message.refuse() }
    }

    /// Swaps the waiting messages with `messages`, which must be empty.
    func take(into messages: inout [Message]) {
        state.withLock { swap(&$0.messages, &messages) }
    }

    /// The reader is about to sleep; false when a message came in the meantime.
    func sleep() -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.isReaderAsleep = true
            return true
        }
    }

    func wokenUp() {
        state.withLock { $0.isReaderAsleep = false }
    }

    /// The reader is gone.
    func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
        for message in left { message.refuse() }
    }
}

extension Message {
    /// Nobody is there to act on this any more.
    fileprivate func refuse() {
        let error = PostgresError(.poolClosed, "the connection pool is closed")
        switch self {
        case .submit(let job), .perform(let job, _): job.fail(error)
        case .lend(let request): request.finish(.failure(error))
        case .subscribe(let subscription): subscription.finish(throwing: error)
        case .withdrawn, .leaseWithdrawn, .interrupt, .attend, .takeBack, .opened, .interrupted, .unsubscribe, .drain,
            .close:
            break
        }
    }
}
