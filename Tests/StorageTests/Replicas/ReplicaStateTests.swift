import Foundation
import Testing

@testable import Storage

@Suite("Whether a server is a copy of the primary") struct ReplicaStateTests {
    private static let start = Date(timeIntervalSince1970: 1)
    private let primary = PrimaryState(position: 200, run: PrimaryRun(startedAt: Self.start, timeline: 2), noted: 2)

    @Test("a standby that follows it is one, whether or not it tells its timeline, and so is the primary itself")
    func copies() throws {
        #expect(try ReplicaState(position: 150, timeline: 2, noted: 2).replayed(beside: primary) == 150)
        #expect(try ReplicaState(position: 150, noted: 2).replayed(beside: primary) == 150)
        let itself = ReplicaState(position: 210, startedAt: Self.start, timeline: 2, noted: 2)
        #expect(try itself.replayed(beside: primary) == 210)
    }

    @Test("one that was promoted, that follows another server, or that does not tell how far it is, is none")
    func strangers() {
        let strangers = [
            // Two standbys that were promoted from the same timeline count it alike.
            ReplicaState(position: 210, startedAt: Self.start + 1, timeline: 2, noted: 2),
            ReplicaState(position: 210, startedAt: Self.start + 1, timeline: 3, noted: 2),
            ReplicaState(position: 210, timeline: 3, noted: 2),
            ReplicaState(position: 210, timeline: 1, noted: 2),
            ReplicaState(position: 210, noted: 1),
            ReplicaState(position: nil, noted: 2),
        ]
        for stranger in strangers {
            #expect(throws: ReplicaState.Stranger.self) { try stranger.replayed(beside: primary) }
        }
    }
}
