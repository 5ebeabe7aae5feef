import CCurl
import Foundation
import Synchronization

/// Transfers that libcurl carries on a thread of its own; any task may call it, and it never blocks.
final class Transfers: Sendable {
    /// Those of the process. At its end their thread leaves libcurl and waits: `exit` tears down what OpenSSL keeps, and a
    /// thread that is still inside, or about to end, reads what is not there any more.
    static let shared: Transfers = {
        // The handler registered last is called first: OpenSSL's comes with the library, and has to be called after ours.
        TransferSet.prepareLibrary()
        let transfers = Transfers(idleTime: .seconds(60), untilExit: true)
        atexit { Transfers.shared.leave() }
        return transfers
    }()

    private let mailbox = TransferMailbox()

    /// - Parameter idleTime: the time for which unused connections are kept open.
    convenience init(idleTime: Duration) {
        self.init(idleTime: idleTime, untilExit: false)
    }

    private init(idleTime: Duration, untilExit: Bool) {
        let mailbox = mailbox
        Thread.detachNewThread {
            TransferThread.run(reading: mailbox, idleTime: idleTime)
            while untilExit { Thread.sleep(until: .distantFuture) }
        }
    }

    deinit {
        mailbox.post(.leave)
    }

    /// - Throws: also when the task is cancelled.
    func answer(
        to request: StoreRequest,
        at origin: Origin,
        _ options: TransferOptions
    ) async throws(TransportFailure) -> StoreResponse {
        let answer = PendingAnswer()
        let order = TransferOrder(
            request: request,
            origin: origin,
            options: options,
            deadline: ContinuousClock.now + request.timeout,
            answer: answer
        )
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if answer.wait(continuation) { mailbox.post(.carry(order)) }
            }
        } onCancel: {
            // The caller goes on at once; the transfer ends on the thread.
            if answer.finish(.failure(TransportFailure(.cancelled))) { mailbox.post(.withdrawn) }
        }
        return try outcome.get()
    }

    /// Called by `exit`.
    private func leave() {
        mailbox.post(.leave)
        mailbox.waitUntilClosed()
    }
}

/// A request, and who waits for what comes of it.
struct TransferOrder: Sendable {
    let request: StoreRequest
    let origin: Origin
    let options: TransferOptions
    let deadline: ContinuousClock.Instant
    let answer: PendingAnswer
}
