import Foundation
import Logging

/// The one thread that owns a pool's connections. It waits for sockets and messages, and performs what the pool's state machine
/// decides.
final class PollingThread {
    typealias Machine = PoolStateMachine<PendingQuery, LeaseRequest>

    enum Deadline {
        /// A job must be over; with its connection when it is exclusive.
        case job(PendingQuery, WireID?)
        /// A cancelled job should have ended.
        case interruption(PendingQuery, WireID)
        /// A command of the pool's own must be over.
        case chore(PendingQuery, WireID)
        /// A draining pool must be empty.
        case drain

        var isWanted: Bool {
            switch self {
            case .job(let job, _), .interruption(let job, _), .chore(let job, _): !job.isOver
            case .drain: true
            }
        }
    }

    let configuration: PoolConfiguration
    let inbox: Mailbox
    let logger: Logger
    let admission: ServerAdmission?
    let metrics: PoolMetrics
    let publish: @Sendable (PoolStatistics) -> Void
    var machine: Machine
    var wires: [PooledConnection?]
    var subscriptions = Subscriptions()
    var deadlines = Deadlines<Deadline>()
    var statistics = PoolStatistics()
    var now = ContinuousClock.now
    var isStopped = false
    var actions = FIFO<Machine.Action>()
    /// Queries that one socket's results answer; handed out once it has its next queries, so the server is not kept waiting.
    var answers: [(job: PendingQuery, rows: [Rows])] = []
    var isPerforming = false
    /// Threads that connect or cancel.
    var helpers: [HelperThread] = []
    private var readiness: SocketReadiness
    private var polled: [PooledConnection] = []
    private var messages: [Message] = []
    var reportedAt = ContinuousClock.now
    var published = PoolStatistics()
    var hasNews = false
    /// The newest timeline when the connections were last compared with it.
    var newestTimeline: Int?

    /// The wait for a cancelled query before the server is asked again to cancel it.
    static let cancelInterval = Duration.milliseconds(250)

    /// The longest that the end waits for threads that connect.
    static let joinTime = Duration.seconds(2)

    init(
        configuration: PoolConfiguration,
        inbox: Mailbox,
        logger: Logger,
        admission: ServerAdmission?,
        publish: @escaping @Sendable (PoolStatistics) -> Void
    ) {
        self.configuration = configuration
        self.inbox = inbox
        self.logger = logger
        self.admission = admission
        self.publish = publish
        metrics = PoolMetrics(pool: configuration.name)
        machine = Machine(limits: configuration.limits)
        wires = Array(repeating: nil, count: machine.slots.count)
        readiness = SocketReadiness(wakeUp: inbox.wakeUp)
    }

    /// Works until the pool is closed.
    func run() {
        perform(machine.start(at: now))
        while !isStopped {
            leaveOutdatedServers()
            readInbox()
            checkTime()
            handOut()
            report()
            if !isStopped { wait() }
        }
        joinHelpers()
        inbox.close()
        subscriptions.endAll()
    }

    // MARK: One turn

    private func readInbox() {
        inbox.take(into: &messages)
        for message in messages { handle(message) }
        messages.removeAll(keepingCapacity: true)
    }

    private func checkTime() {
        now = .now
        if let next = machine.nextTick, next <= now {
            perform(machine.tick(at: now) { Double.random(in: 0..<1) })
        }
        while let deadline = deadlines.popDue(at: now) { expire(deadline) }
        giveUpSilent()
    }

    private func wait() {
        readiness.removeAll()
        polled.removeAll(keepingCapacity: true)
        for case let wire? in wires {
            readiness.add(socket: wire.connection.socket, for: wire.interest)
            polled.append(wire)
        }
        let timeout = inbox.sleep() ? self.timeout : .zero
        readiness.wait(timeout: timeout)
        inbox.wokenUp()
        now = .now
        for (index, wire) in polled.enumerated() {
            let ready = readiness.ready(at: index)
            guard !ready.isEmpty else { continue }
            wire.attend(ready)
            collect(wire)
            handOut()
        }
    }

    private func handOut() {
        for (job, rows) in answers { job.finish(.success(rows)) }
        answers.removeAll(keepingCapacity: true)
    }

    private var timeout: Duration? {
        var next = machine.nextTick
        func consider(_ instant: ContinuousClock.Instant?) {
            guard let instant else { return }
            next = min(next ?? instant, instant)
        }
        consider(deadlines.first)
        if hasNews { consider(reportedAt + .seconds(1)) }
        for case let wire? in wires { consider(silenceEnd(of: wire)) }
        return next.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
    }
}
