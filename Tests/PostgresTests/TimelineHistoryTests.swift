import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("The newest timeline") struct TimelineHistoryTests {
    private let file = NSTemporaryDirectory() + "/perennial-timeline-\(UUID().uuidString)"

    private func history() -> TimelineHistory { TimelineHistory(file: file, makesDirectory: false, logger: .quiet) }
    private func server(_ timeline: Int?, of system: String? = "7") -> ServerPosition {
        ServerPosition(system: system, timeline: timeline)
    }

    @Test("is remembered by the next process, and an older one is refused by both")
    func remembered() throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        let first = history()
        try first.admitPrimary(server(1))
        try first.admitPrimary(server(3))
        #expect(first.isOutdated(server(2)))
        #expect(!first.isOutdated(server(3)))
        for history in [first, history()] {
            for stale in [server(2), server(2, of: nil), server(4, of: "8"), server(nil)] {
                #expect(throws: PostgresError.self) { try history.admitPrimary(stale) }
            }
            try history.admitPrimary(server(3))
            try history.admitReplica(server(nil))
            #expect(throws: PostgresError.self) { try history.admitReplica(server(nil, of: "8")) }
            #expect(throws: PostgresError.self) { try history.admitReplica(server(2)) }
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "system 7 timeline 3\n")
    }

    @Test("screens are read from the primary itself or a standby, and from no standby that was promoted beside it")
    func promoted() throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        let history = history()
        try history.admitPrimary(server(1))
        try history.admitReplica(server(1))
        try history.admitReplica(server(nil))
        #expect(throws: PostgresError.self) { try history.admitReplica(server(2)) }
        // A primary that we write to counts as a copy of itself.
        try history.admitPrimary(server(2))
        try history.admitReplica(server(2))
    }

    @Test("that another process of the same directory has seen counts here, too")
    func shared() throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (first, second) = (history(), history())
        try first.admitPrimary(server(1))
        try second.admitPrimary(server(2))
        #expect(throws: PostgresError.self) { try first.admitPrimary(server(1)) }
    }

    @Test("a torn file is refused, and a directory that is missing is not made")
    func torn() throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("system".utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: PostgresError.self) { try history().admitPrimary(server(1)) }
        let nowhere = TimelineHistory(file: file + ".d/timeline", makesDirectory: false, logger: .quiet)
        try nowhere.admitPrimary(server(2))
        #expect(throws: PostgresError.self) { try nowhere.admitPrimary(server(1)) }
        #expect(!FileManager.default.fileExists(atPath: file + ".d"))
    }

    @Test("the hosts of a connection string, each alone")
    func hosts() {
        let several = ConnectionParameters.hosts(of: "host=a,b port=1,2 dbname=d")
        #expect(
            several.map { $0.map { "\($0.keyword)=\($0.value)" } } == [["host=a", "port=1"], ["host=b", "port=2"]]
        )
        let oneRPort = ConnectionParameters.hosts(of: "postgresql://u@a,b/d?port=5")
        #expect(oneRPort.map { $0.map(\.value) } == [["a", "5"], ["b", "5"]])
        #expect(ConnectionParameters.hosts(of: "host=a").isEmpty)
        #expect(ConnectionParameters.hosts(of: "nonsense").isEmpty)
    }
}
