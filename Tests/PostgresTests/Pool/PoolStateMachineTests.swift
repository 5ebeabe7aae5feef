import Testing

@testable import Postgres

@Suite("Pool state machine")
struct PoolStateMachineTests {
    typealias Machine = PoolStateMachine<String, String>

    private let start = ContinuousClock.now
    private let refusal = PostgresError(.connectionFailed, "refused")

    private func machine(shared: Int = 2, exclusive: Int = 1, queue: Int = 3) -> Machine {
        Machine(
            limits: PoolLimits(
                sharedConnections: shared,
                exclusiveConnections: exclusive,
                pipelineDepth: 2,
                queueLimit: queue,
                acquireTimeout: .seconds(5),
                connectTimeout: .seconds(15)
            )
        )
    }

    private func running(shared: Int = 2, exclusive: Int = 1, queue: Int = 3) -> Machine {
        var machine = machine(shared: shared, exclusive: exclusive, queue: queue)
        _ = machine.start(at: start)
        for slot in 0..<shared { _ = machine.connected(machine.id(of: slot), at: start) }
        return machine
    }

    @Test("starting opens the shared connections and no other")
    func starting() {
        var machine = machine()
        #expect(machine.start(at: start).summary == ["connect 0", "connect 1"])
        #expect(machine.start(at: start).isEmpty)
    }

    @Test("queries spread over the connections, two on each, then they wait in order")
    func spreading() {
        var machine = running()
        let sent = ["a", "b", "c", "d", "e", "f"].map { machine.submit($0, at: start).map { [$0] }.summary }
        #expect(sent == [["send a 0"], ["send b 1"], ["send c 0"], ["send d 1"], [], []])
        #expect(machine.jobFinished(on: 1).summary == ["send e 1"])
        #expect(machine.jobFinished(on: 0).summary == ["send f 0"])
    }

    @Test("a queue that is full refuses, and those who gave up do not fill it")
    func fullQueue() {
        var machine = running(shared: 1)
        for job in ["a", "b", "c", "d", "e"] { _ = machine.submit(job, at: start) }
        #expect(machine.submit("f", at: start).map { [$0] }.summary == ["refuse f pool exhausted"])
        machine.jobWithdrawn { _ in true }
        #expect(machine.submit("g", at: start) == nil)
    }

    @Test("waiting has an end: exhausted when all are busy, failed when none can be opened")
    func waitingTooLong() {
        var busy = running(shared: 1)
        for job in ["a", "b", "c"] { _ = busy.submit(job, at: start) }
        #expect(busy.nextTick == start + .seconds(5))
        #expect(busy.tick(at: start + .seconds(4)) { 0 }.isEmpty)
        #expect(busy.tick(at: start + .seconds(5)) { 0 }.summary == ["refuse c pool exhausted"])

        var down = machine(shared: 1)
        _ = down.start(at: start)
        _ = down.submit("a", at: start)
        _ = down.connectFailed(down.id(of: 0), refusal, at: start, random: 0)
        #expect(down.tick(at: start + .seconds(5)) { 0 }.summary.contains("refuse a connection failed"))
    }

    @Test("a failed connection is tried again, ever later, and at once after it had been open")
    func backoff() {
        var machine = machine(shared: 1)
        _ = machine.start(at: start)
        var now = start
        var pauses: [Duration] = []
        for _ in 0..<10 {
            _ = machine.connectFailed(machine.id(of: 0), refusal, at: now, random: 0.999)
            guard let next = machine.nextTick else { break }
            pauses.append(now.duration(to: next))
            now = next
            #expect(machine.tick(at: now) { 0 }.summary == ["connect 0"])
        }
        #expect(pauses.count == 10)
        #expect(pauses == pauses.sorted())
        #expect(pauses[0] < .milliseconds(51))
        #expect(pauses[9] <= .seconds(5) && pauses[9] > .seconds(4))
        _ = machine.connected(machine.id(of: 0), at: start)
        #expect(machine.lost(machine.id(of: 0), at: now, random: 0).summary == ["connect 0"])
    }

    @Test("connections that are lost as soon as they are open are opened ever later")
    func quickLosses() {
        var machine = machine(shared: 1)
        _ = machine.start(at: start)
        var now = start
        var pauses: [Duration] = []
        for _ in 0..<8 {
            _ = machine.connected(machine.id(of: 0), at: now)
            let actions = machine.lost(machine.id(of: 0), at: now, random: 0)
            guard actions.isEmpty, let next = machine.nextTick else { continue }
            pauses.append(now.duration(to: next))
            now = next
            _ = machine.tick(at: now) { 0 }
        }
        #expect(pauses.count == 7)
        #expect(pauses.first == .milliseconds(25) && pauses.last == .milliseconds(1600))
        _ = machine.connected(machine.id(of: 0), at: now)
        #expect(machine.lost(machine.id(of: 0), at: now + .seconds(2), random: 0).summary == ["connect 0"])
    }

    @Test("what a thread brings too late is not used")
    func lateConnection() {
        var machine = machine(shared: 1)
        _ = machine.start(at: start)
        let late = machine.id(of: 0)
        _ = machine.tick(at: start + .seconds(15)) { 0 }
        #expect(!machine.isCurrent(late))
        #expect(machine.connectFailed(late, refusal, at: start, random: 0).isEmpty)
    }

    @Test("an exclusive connection is opened when it is wanted and lent in turn")
    func lending() {
        var machine = running()
        #expect(machine.lend(to: "a", at: start).map { [$0] }.summary == ["connect 2"])
        #expect(machine.lend(to: "b", at: start) == nil)
        #expect(machine.connected(machine.id(of: 2), at: start).summary == ["lend a 2"])
        #expect(machine.takenBack(2, at: start).summary == ["lend b 2"])
        #expect(machine.takenBack(2, at: start).isEmpty)
        #expect(machine.lend(to: "c", at: start).map { [$0] }.summary == ["lend c 2"])
    }

    @Test("a lost exclusive connection is replaced once its borrower has let go")
    func lostLease() {
        var machine = running()
        _ = machine.lend(to: "a", at: start)
        _ = machine.connected(machine.id(of: 2), at: start)
        _ = machine.lend(to: "b", at: start)
        #expect(machine.lost(machine.id(of: 2), at: start, random: 0).isEmpty)
        #expect(machine.lostReturned(2, at: start).summary == ["connect 2"])
        #expect(machine.connected(machine.id(of: 2), at: start).summary == ["lend b 2"])
    }

    @Test("an exclusive connection that nobody wants is closed after a while, the one used last is lent first")
    func idling() {
        var machine = running(exclusive: 2)
        _ = machine.lend(to: "a", at: start)
        _ = machine.lend(to: "b", at: start)
        _ = machine.connected(machine.id(of: 2), at: start)
        _ = machine.connected(machine.id(of: 3), at: start)
        _ = machine.takenBack(2, at: start)
        _ = machine.takenBack(3, at: start + .seconds(1))
        #expect(machine.lend(to: "c", at: start + .seconds(2)).map { [$0] }.summary == ["lend c 3"])
        _ = machine.takenBack(3, at: start + .seconds(59))
        #expect(machine.tick(at: start + .seconds(60)) { 0 }.summary == ["close 2"])
        #expect(machine.nextTick == start + .seconds(119))
        #expect(machine.lend(to: "d", at: start + .seconds(61)).map { [$0] }.summary == ["lend d 3"])
    }

    @Test("a lease waits no longer than allowed")
    func leaseTimeout() {
        var machine = running()
        _ = machine.lend(to: "a", at: start)
        _ = machine.connected(machine.id(of: 2), at: start)
        _ = machine.lend(to: "b", at: start)
        #expect(machine.tick(at: start + .seconds(5)) { 0 }.summary == ["refuse lease b pool exhausted"])
    }

    @Test("draining takes nothing new, finishes what it has, and ends")
    func draining() {
        var machine = running(shared: 1)
        for job in ["a", "b", "c"] { _ = machine.submit(job, at: start) }
        #expect(machine.drain().isEmpty)
        #expect(machine.submit("d", at: start).map { [$0] }.summary == ["refuse d pool closed"])
        #expect(machine.lend(to: "l", at: start).map { [$0] }.summary == ["refuse lease l pool closed"])
        #expect(machine.jobFinished(on: 0).summary == ["send c 0"])
        #expect(machine.jobFinished(on: 0).isEmpty)
        #expect(machine.jobFinished(on: 0).summary == ["close 0", "close 1", "close 2", "stop"])
    }

    @Test("closing refuses what waits")
    func closing() {
        var machine = machine(shared: 1)
        _ = machine.start(at: start)
        _ = machine.submit("a", at: start)
        _ = machine.lend(to: "l", at: start)
        let summary = machine.close(because: .closing).summary
        #expect(summary.prefix(2) == ["refuse a pool closed", "refuse lease l pool closed"])
        #expect(summary.last == "stop")
    }

    @Test("the listener's connection comes back as long as somebody listens")
    func listening() {
        var machine = running()
        #expect(machine.setListening(true, at: start).map { [$0] }.summary == ["connect 3"])
        #expect(machine.connected(machine.id(of: 3), at: start).summary == ["listen 3"])
        #expect(machine.lost(machine.id(of: 3), at: start, random: 0).summary == ["connect 3"])
        _ = machine.connected(machine.id(of: 3), at: start)
        #expect(machine.setListening(false, at: start).map { [$0] }.summary == ["close 3"])
    }

    @Test("a read that a lost connection had goes before those that wait")
    func resubmitting() {
        var machine = running(shared: 1)
        for job in ["a", "b", "c"] { _ = machine.submit(job, at: start) }
        _ = machine.lost(machine.id(of: 0), at: start, random: 0)
        #expect(machine.resubmit("b", at: start) == nil)
        #expect(machine.resubmit("a", at: start) == nil)
        #expect(machine.connected(machine.id(of: 0), at: start).summary == ["send a 0", "send b 0"])
    }
}

extension [PoolStateMachine<String, String>.Action]? {
    fileprivate var summary: [String] { self?.summary ?? [] }
}

extension [PoolStateMachine<String, String>.Action] {
    fileprivate var summary: [String] {
        map { action in
            switch action {
            case .connect(let id): "connect \(id.slot)"
            case .close(let slot): "close \(slot)"
            case .send(let job, let slot): "send \(job) \(slot)"
            case .lend(let lease, let slot): "lend \(lease) \(slot)"
            case .listen(let slot): "listen \(slot)"
            case .refuse(let job, let error): "refuse \(job) \(error.code)"
            case .refuseLease(let lease, let error): "refuse lease \(lease) \(error.code)"
            case .stop: "stop"
            }
        }
    }
}
