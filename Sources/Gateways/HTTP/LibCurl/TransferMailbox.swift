import CCurl
import Foundation
import Synchronization

/// Messages of tasks to the thread of the transfers, which is woken only when it sleeps.
final class TransferMailbox: Sendable {
    enum Message: Sendable {
        case carry(TransferOrder)
        /// Somebody does not wait any more.
        case withdrawn
        case leave
    }

    private struct State {
        var messages: [Message] = []
        /// The set that the thread sleeps in.
        var sleeper: TransferSet?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let isClosed = DispatchSemaphore(value: 0)

    /// A message posted after the end is refused, so that nobody waits for an answer.
    func post(_ message: Message) {
        let isRefused = state.withLock { state in
            guard !state.isClosed else { return true }
            state.messages.append(message)
            // Under the lock, so that it is still there.
            state.sleeper?.wake()
            state.sleeper = nil
            return false
        }
        if isRefused { message.refuse() }
    }

    /// Swaps what was posted with `messages`, which must be empty.
    func take(into messages: inout [Message]) {
        state.withLock { swap(&$0.messages, &messages) }
    }

    /// The thread is about to sleep; false when something was posted meanwhile.
    func sleep(in set: TransferSet) -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.sleeper = set
            return true
        }
    }

    func wokenUp() {
        state.withLock { $0.sleeper = nil }
    }

    /// The thread is out of libcurl for good.
    func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
        for message in left { message.refuse() }
        isClosed.signal()
    }

    /// Ten seconds at most: nothing in libcurl waits, but a busy machine may take a while over what is under way.
    func waitUntilClosed() {
        _ = isClosed.wait(timeout: .now() + .seconds(10))
    }
}

extension TransferMailbox.Message {
    fileprivate func refuse() {
        guard case .carry(let order) = self else { return }
        order.answer.finish(.failure(TransportFailure(.exhausted)))
    }
}
