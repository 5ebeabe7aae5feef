import Foundation
import Logging
import TestSupport
import Testing

@testable import Postgres

extension ClusterTests {
    @Test("what a killed program left is cleared away: a dead server's pid file, or a server that still runs")
    func leftovers() async throws {
        try await withDirectory { directory in
            let first = Cluster(directory: directory, logger: .quiet)
            try await first.start()
            try await write(1, to: first)
            // As after kill -9 of everything: the pid file stays, and its number belongs to another process by now.
            let place = try ClusterPlace.choose(directory, account: try ClusterAccount.needed())
            let pidFile = place.data + "/postmaster.pid"
            let contents = try String(contentsOfFile: pidFile, encoding: .utf8)
            try await first.stop()
            let stranger = contents.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
            try "\(ProcessInfo.processInfo.processIdentifier)\n\(stranger.joined(separator: "\n"))"
                .write(toFile: pidFile, atomically: true, encoding: .utf8)
            let second = Cluster(directory: directory, logger: .quiet)
            try await second.start()
            #expect(try await numbers(in: second) == [1])
            try await second.stop()

            // This server has lost the program that watched it.
            try await startUnwatched(place)
            let third = Cluster(directory: directory, logger: .quiet)
            try await third.start()
            #expect(third.processID != nil)
            #expect(try await numbers(in: third) == [1])
            try await third.stop()
        }
    }

    @Test(
        "a server that is ending when its successor comes is in nobody's way",
        arguments: TestScale.isWhole ? [0, 2, 5, 10, 20, 50] : [0, 10]
    )
    func ending(headStart milliseconds: Int) async throws {
        try await withDirectory { directory in
            let first = Cluster(directory: directory, logger: .quiet)
            try await first.start()
            try await write(1, to: first)
            let place = try ClusterPlace.choose(directory, account: try ClusterAccount.needed())
            try await first.stop()
            try await startUnwatched(place)
            let pidFile = try String(contentsOfFile: place.data + "/postmaster.pid", encoding: .utf8)
            kill(try #require(pidFile.split(separator: "\n").first.flatMap { Int32($0) }), SIGINT)
            try await Task.sleep(for: .milliseconds(milliseconds))
            let successor = Cluster(directory: directory, logger: .quiet)
            try await successor.start()
            #expect(try await numbers(in: successor) == [1])
            try await successor.stop()
        }
    }

    @Test("a server that runs on data behind a link is found, and ended before the next one starts")
    func linkedData() async throws {
        try await withDirectory { directory in
            let first = Cluster(directory: directory, logger: .quiet)
            try await first.start()
            try await write(1, to: first)
            try await first.stop()
            let place = try ClusterPlace.choose(directory, account: try ClusterAccount.needed())
            let target = directory + "/elsewhere"
            try FileManager.default.moveItem(atPath: place.data, toPath: target)
            try FileManager.default.createSymbolicLink(atPath: place.data, withDestinationPath: target)
            try await startUnwatched(place)
            let owner = try #require(try ClusterOwner.current(place))
            let second = Cluster(directory: directory, logger: .quiet)
            try await second.start()
            #expect(try ClusterOwner.current(place) != owner)
            #expect(try await numbers(in: second) == [1])
            try await second.stop()
        }
    }

    @Test("a server one of whose processes hangs ends all the same, told by its own program or by the next one")
    func hanging() async throws {
        try await withDirectory { directory in
            let first = Cluster(directory: directory, patience: .milliseconds(500), logger: .quiet)
            try await first.start()
            try await write(1, to: first)
            try await withPool(PoolConfiguration.patient(first.connectionString)) { pool in
                kill(try await pool.query("SELECT pg_backend_pid()")[0].decode(Int32.self), SIGSTOP)
                let startedAt = ContinuousClock.now
                try await first.stop()
                #expect(startedAt.duration(to: .now) < .seconds(120))
            }
            let place = try ClusterPlace.choose(directory, account: try ClusterAccount.needed())
            try await startUnwatched(place)
            try await withPool(PoolConfiguration.patient("host=\(place.socketDirectory) user=postgres")) { pool in
                kill(try await pool.query("SELECT pg_backend_pid()")[0].decode(Int32.self), SIGSTOP)
                let second = Cluster(directory: directory, logger: .quiet)
                try await second.start()
                #expect(try await numbers(in: second) == [1])
                try await second.stop()
            }
        }
    }

    @Test("a killed server one of whose processes hangs starts again, by its own program or by the next one")
    func orphaned() async throws {
        try await withDirectory { directory in
            let first = Cluster(directory: directory, logger: .quiet)
            try await first.start()
            try await write(1, to: first)
            let postmaster = try #require(first.processID)
            try await withPool(PoolConfiguration.patient(first.connectionString)) { pool in
                kill(try await pool.query("SELECT pg_backend_pid()")[0].decode(Int32.self), SIGSTOP)
                kill(postmaster, SIGKILL)
            }
            #expect(try await numbers(in: first) == [1])
            #expect(first.processID != postmaster)
            try await first.stop()

            let place = try ClusterPlace.choose(directory, account: try ClusterAccount.needed())
            try await startUnwatched(place)
            let unwatched = try #require(try ClusterOwner.current(place)).processID
            try await withPool(PoolConfiguration.patient("host=\(place.socketDirectory) user=postgres")) { pool in
                kill(try await pool.query("SELECT pg_backend_pid()")[0].decode(Int32.self), SIGSTOP)
                kill(unwatched, SIGKILL)
            }
            let second = Cluster(directory: directory, logger: .quiet)
            try await second.start()
            #expect(try await numbers(in: second) == [1])
            try await second.stop()
            #expect(ClusterOrphans.processes(in: place.data).isEmpty)
        }
    }

    /// Starts a server of the cluster that no program of ours watches.
    private func startUnwatched(_ place: ClusterPlace) async throws {
        let command = Command(
            path: try ClusterTools.find().path(of: "pg_ctl"),
            arguments: [
                "start", "-w", "-D", place.data, "-l", "/dev/null", "-o",
                "-c listen_addresses='' -k \(place.socketDirectory)",
            ],
            account: try ClusterAccount.needed()
        )
        _ = try await command.run()
    }
}
