import Testing

@testable import Storage

@Suite("What a replica may answer") struct ReplicaFollowingTests {
    private let start = ContinuousClock.now

    /// Seconds after the start.
    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private func following(_ looks: [(primary: Int64, replica: Int64, seconds: Double)]) -> ReplicaFollowing {
        var state = ReplicaFollowing(maximumAge: .seconds(30))
        for look in looks {
            state.primaryWas(at: look.primary, at(look.seconds))
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
        state.primaryWas(at: 301, at(201))
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
        state.failed("it is gone")
        #expect(state.choice(written: nil, at: start) == .primary(.away("it is gone")))
        state.replicaReplayed(100)
        #expect(state.choice(written: nil, at: start) == .replica(age: .zero))
    }

    @Test("a primary whose log ends earlier than before, after a failover, is followed as well")
    func failover() {
        let state = following([(100, 50, 0), (200, 60, 1), (90, 90, 2)])
        #expect(state.choice(written: nil, at: at(2)) == .replica(age: .zero))
    }
}
