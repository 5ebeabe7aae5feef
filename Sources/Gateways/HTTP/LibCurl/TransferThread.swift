import CCurl
import Foundation

/// The one thread that is inside libcurl: begins transfers when it is their turn, and ends them in time.
final class TransferThread {
    private let mailbox: TransferMailbox
    private let idleTime: Duration
    private var set: TransferSet
    private var queue = TransferQueue<TransferOrder>(limit: mostRequests, share: share)
    /// The transfers under way, by libcurl's handle.
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    /// No deadline is before it.
    private var nextDeadline: ContinuousClock.Instant?
    /// The time since when no transfer has been under way, while connections may be open.
    private var idleSince: ContinuousClock.Instant?
    private var connections = mostRequests
    private var messages: [TransferMailbox.Message] = []
    private var isLeaving = false

    /// Works until it is told to leave.
    static func run(reading mailbox: TransferMailbox, idleTime: Duration) {
        blockBrokenPipes()
        if let set = TransferSet(connections: mostRequests) { TransferThread(mailbox, idleTime, set).run() }
        mailbox.close()
    }

    private init(_ mailbox: TransferMailbox, _ idleTime: Duration, _ set: TransferSet) {
        self.mailbox = mailbox
        self.idleTime = idleTime
        self.set = set
    }

    private func run() {
        while !isLeaving {
            readMailbox()
            endOverdue()
            beginNext()
            set.perform()
            endFinished()
            beginNext()
            closeIdle()
            wait()
        }
        for transfer in transfers.values { end(transfer, .failure(TransportFailure(.cancelled))) }
        for order in queue.waiting { order.answer.finish(.failure(TransportFailure(.cancelled))) }
        set.close()
    }

    // MARK: One turn

    private func readMailbox() {
        mailbox.take(into: &messages)
        var isWithdrawn = false
        for message in messages {
            switch message {
            case .carry(let order): take(order)
            case .withdrawn: isWithdrawn = true
            case .leave: isLeaving = true
            }
        }
        messages.removeAll(keepingCapacity: true)
        guard isWithdrawn else { return }
        queue.removeWaiting { $0.answer.isOver }
        for transfer in transfers.values where transfer.order.answer.isOver {
            end(transfer, .failure(TransportFailure(.cancelled)))
        }
    }

    private func take(_ order: TransferOrder) {
        nextDeadline = min(nextDeadline ?? order.deadline, order.deadline)
        queue.add(order, to: order.origin, of: order.request.asker, limit: order.options.requestsPerHost)
        keep(connections: order.options.requestsPerHost)
    }

    private func keep(connections count: Int) {
        guard count > connections else { return }
        connections = count
        set.keep(connections: count)
    }

    private func endOverdue() {
        let now = ContinuousClock.now
        guard let nextDeadline, nextDeadline <= now else { return }
        for transfer in transfers.values where transfer.order.deadline <= now {
            end(transfer, .failure(TransportFailure(transfer.isAsked ? .timedOut : .connectTimedOut)))
        }
        queue.removeWaiting { order in
            guard order.deadline <= now else { return false }
            order.answer.finish(.failure(TransportFailure(.connectTimedOut)))
            return true
        }
        let deadlines = transfers.values.map(\.order.deadline) + queue.waiting.map(\.deadline)
        self.nextDeadline = deadlines.min()
    }

    private func beginNext() {
        while let order = queue.next() {
            guard !order.answer.isOver else {
                queue.finished(at: order.origin, of: order.request.asker)
                continue
            }
            do throws(TransportFailure) {
                let transfer = try Transfer(order)
                guard set.add(transfer) else { throw TransportFailure(.exhausted) }
                transfers[transfer.handle] = transfer
                idleSince = nil
                // Those in use count, too: however many are silent, the others' are kept.
                keep(connections: transfers.count + Self.mostRequests)
            } catch {
                queue.finished(at: order.origin, of: order.request.asker)
                order.answer.finish(.failure(error))
            }
        }
    }

    private func endFinished() {
        while let (handle, code) = set.nextFinished() {
            guard let transfer = transfers[handle] else { continue }
            end(transfer, transfer.outcome(of: code))
        }
    }

    private func end(_ transfer: Transfer, _ outcome: PendingAnswer.Outcome) {
        set.remove(transfer)
        transfers[transfer.handle] = nil
        queue.finished(at: transfer.order.origin, of: transfer.order.request.asker)
        transfer.order.answer.finish(outcome)
        if transfers.isEmpty { idleSince = .now }
    }

    /// Connections that nobody has needed for a while are closed: libcurl itself looks at them only when it needs one.
    private func closeIdle() {
        guard transfers.isEmpty, let idleSince, idleSince + idleTime <= .now,
            let fresh = TransferSet(connections: connections)
        else { return }
        set.close()
        set = fresh
        self.idleSince = nil
    }

    private func wait() {
        guard !isLeaving, mailbox.sleep(in: set) else { return }
        let ends = [nextDeadline, idleSince.map { $0 + idleTime }].compactMap(\.self)
        set.wait(atMost: ends.min().map { ContinuousClock.now.duration(to: $0) } ?? .seconds(3_600))
        mailbox.wokenUp()
    }

    /// A connection that the other side has closed is an error of its own, and no signal: libcurl leaves signals to the program.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static let mostRequests = 128
    /// Of each asker to each host, whatever all together have.
    private static let share = 4
}
