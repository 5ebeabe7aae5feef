import Foundation
import Testing

@testable import Storage

@Suite("What a replica may answer") struct ReplicaFollowingTests {
    private let start = ContinuousClock.now
    private let run = PrimaryRun(startedAt: Date(timeIntervalSince1970: 1), timeline: 1)
    private let nextRun = PrimaryRun(startedAt: Date(timeIntervalSince1970: 2), timeline: 1)

    /// Returns the instant so many seconds after the start.
    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private func primary(at position: Int64, in run: PrimaryRun? = nil) -> PrimaryState {
        PrimaryState(position: position, run: run ?? self.run, noted: nil)
    }

    private func following(_ looks: [(primary: Int64, replica: Int64, seconds: Double)]) -> ReplicaFollowing {
        var state = ReplicaFollowing(maximumAge: .seconds(30))
        for look in looks {
            state.primaryWas(primary(at: look.primary), at: at(look.seconds))
            state.replicaReplayed(look.replica)
        }
        return state
    }

    @Test("nobody is sent to a replica that nobody has looked at")
    func unknown() {
        #expect(ReplicaFollowing(maximumAge: .seconds(30)).choice(written: nil, at: start) == .primary(.unknown))
        #expect(following([(100, 50, 0)]).choice(written: nil, at: start) == .primary(.unknown))
    }

    @Test("the age is the time since the newest moment of which it has everything, and nothing new makes nothing old")
    func age() {
        #expect(
            following([(100, 100, 0), (200, 150, 1)]).choice(written: nil, at: at(2)) == .replica(age: .seconds(2))
        )
        #expect(
            following([(100, 100, 0), (200, 150, 1), (300, 200, 2)]).choice(written: nil, at: at(2))
                == .replica(age: .seconds(1))
        )
        #expect(
            following([(100, 100, 0), (100, 100, 500)]).choice(written: nil, at: at(501)) == .replica(age: .seconds(1))
        )
    }

    @Test("one that stands still is left when its data is too old, and taken again when it has caught up")
    func standingStill() {
        var state = following([(100, 100, 0)] + (1...200).map { (100 + Int64($0), 100, Double($0)) })
        #expect(state.choice(written: nil, at: at(200)) == .primary(.stale))
        state.primaryWas(primary(at: 301), at: at(201))
        state.replicaReplayed(301)
        #expect(state.choice(written: nil, at: at(201)) == .replica(age: .zero))
    }

    @Test("who has written more than it has replayed is answered by the primary")
    func ownWrites() {
        let state = following([(100, 100, 0)])
        #expect(state.choice(written: 100, at: start) == .replica(age: .zero))
        #expect(state.choice(written: 101, at: start) == .primary(.behindWriter))
    }

    @Test("one that fails is left until somebody has looked again")
    func failing() {
        var state = following([(100, 100, 0)])
        state.failed(.away("it is gone"))
        #expect(state.choice(written: nil, at: start) == .primary(.away("it is gone")))
        state.replicaReplayed(100)
        #expect(state.choice(written: nil, at: start) == .replica(age: .zero))
    }

    @Test("after a start of the primary or a failover it must have all that the primary had when it was seen first")
    func anotherRun() {
        let promoted = PrimaryRun(startedAt: run.startedAt, timeline: 2)
        for (next, end) in [(nextRun, 300), (promoted, 90)] as [(PrimaryRun, Int64)] {
            var state = following([(100, 50, 0), (100, 100, 1)])
            state.primaryWas(primary(at: end, in: next), at: at(2))
            state.replicaReplayed(end - 1)
            // A write up to 300 may never have been noted.
            #expect(state.choice(written: nil, at: at(2)) == .primary(.unknown))
            #expect(state.age(at: end - 1, written: nil, at(2)) == nil)
            state.replicaReplayed(end)
            #expect(state.choice(written: nil, at: at(2)) == .replica(age: .zero))
        }
    }

    @Test("when a write could not be noted, it must have all that the primary had after that")
    func missedWrite() {
        var state = following([(100, 100, 0)])
        state.beginAnew(at: at(1))
        // The primary was asked before the write.
        state.primaryWas(primary(at: 100), at: at(0.9))
        #expect(state.choice(written: nil, at: at(1)) == .primary(.unknown))
        state.primaryWas(primary(at: 200), at: at(2))
        #expect(state.choice(written: nil, at: at(2)) == .primary(.unknown))
        state.replicaReplayed(200)
        #expect(state.choice(written: nil, at: at(2)) == .replica(age: .zero))
    }

    @Test("each of its connections may lead to another server, which is as old as it says")
    func connections() {
        let state = following([(100, 100, 0), (200, 200, 10), (300, 300, 20)])
        #expect(state.age(at: 300, written: 300, at(21)) == .seconds(1))
        #expect(state.age(at: 299, written: 200, at(21)) == .seconds(11))
        #expect(state.age(at: 299, written: 300, at(21)) == nil)
        #expect(state.age(at: 100, written: nil, at(21)) == .seconds(21))
        #expect(state.age(at: 100, written: nil, at(31)) == nil)
        #expect(state.age(at: 99, written: nil, at(21)) == nil)
    }

    @Test("everybody is told why in our words, and the operator in those of the database")
    func problems() {
        var state = following([(100, 100, 0)])
        #expect(state.problem(at: start) == nil && state.publicProblem(at: start) == nil)
        state.failed(.away("connection to server at 10.1.2.3 failed"))
        #expect(state.problem(at: start) == "connection to server at 10.1.2.3 failed")
        #expect(state.publicProblem(at: start)?.contains("10.1.2.3") == false)
        state.failed(.stranger("it takes writes of its own"))
        #expect(state.publicProblem(at: start) == "it takes writes of its own")
        state.replicaReplayed(100, isPaused: true)
        #expect(state.publicProblem(at: at(31)) == "its replay is paused")
    }
}
