import Foundation
import Logging
import TestSupport
import Testing

@testable import Postgres

@Suite("Cluster", .timeLimit(.minutes(10)))
struct ClusterTests {
    @Test("a cluster is made, keeps its data over a stop, and makes its database")
    func startAndStop() async throws {
        try await withDirectory { directory in
            let cluster = Cluster(directory: directory, database: "app", logger: .quiet)
            try await cluster.start()
            try await write(1, to: cluster)
            try await cluster.stop()
            let again = Cluster(directory: directory, database: "app", logger: .quiet)
            try await again.start()
            #expect(try await numbers(in: again) == [1])
            let checksums = try await scalar("SELECT current_setting('data_checksums')", in: again)
            #expect(checksums == "on")
            let addresses = try await scalar("SELECT current_setting('listen_addresses')", in: again)
            #expect(addresses == "")
            try await again.stop()
        }
    }

    @Test("after kill -9 of the server and all its processes the pool works again, without help, and nothing is lost")
    func killed() async throws {
        try await withDirectory { directory in
            let cluster = Cluster(directory: directory, logger: .quiet)
            try await cluster.start()
            var configuration = PoolConfiguration.patient(cluster.connectionString)
            configuration.acquireTimeout = .seconds(60)
            try await withPool(configuration) { pool in
                _ = try await pool.query("CREATE TABLE t (n int8 PRIMARY KEY)")
                for round in 1...3 {
                    // A process of the killed server may have lived a little longer and taken a new connection.
                    try await until {
                        let rows = try? await pool.query("INSERT INTO t VALUES (\(round)) ON CONFLICT DO NOTHING")
                        return rows != nil
                    }
                    let query = Task { try await pool.query("SELECT pg_sleep(60)") }
                    let transaction = Task {
                        try await pool.withTransaction { connection in
                            _ = try await connection.query("INSERT INTO t VALUES (99)")
                            _ = try await connection.query("SELECT pg_sleep(60)")
                        }
                    }
                    let copyIn = Task {
                        try await pool.withConnection { connection in
                            _ = try await connection.copyIn("COPY t FROM STDIN") { writer in
                                while true {
                                    try await writer.write(Array("\(Int.random(in: 1000..<Int.max))\n".utf8))
                                    try await Task.sleep(for: .milliseconds(1))
                                }
                            }
                        }
                    }
                    let copyOut = Task {
                        try await pool.withConnection { connection in
                            for try await _ in try await connection.copyOut(
                                "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 10000000)) TO STDOUT"
                            ) {
                                try await Task.sleep(for: .milliseconds(10))
                            }
                        }
                    }
                    try await until { pool.statistics.exclusiveLent == 3 }
                    let processID = try #require(cluster.processID)
                    killAll(below: processID)
                    for task in [Task { _ = try await query.value }, transaction, copyIn, copyOut] {
                        let error = await #expect(throws: PostgresError.self) { try await task.value }
                        #expect(error?.code == .connectionLost)
                    }
                    var rows: Rows?
                    try await until {
                        rows = try? await pool.query("SELECT n FROM t ORDER BY n")
                        return rows != nil
                    }
                    let numbers = try rows?.map { try $0.decode(Int.self) }
                    #expect(numbers == Array(1...round))
                }
            }
            try await cluster.stop()
        }
    }

    @Test("a server that did not start can be stopped, however often")
    func stoppedTwice() async throws {
        try await withDirectory { directory in
            let cluster = Cluster(directory: directory, settings: ["max_connections": "none"], logger: .quiet)
            await #expect(throws: PostgresError.self) { try await cluster.start() }
            try await cluster.stop()
            try await cluster.stop()
            let other = Cluster(directory: directory, logger: .quiet)
            try await other.start()
            try await other.stop()
        }
    }

    @Test("a second program uses the cluster that the first one runs, and leaves it running")
    func shared() async throws {
        try await withDirectory { directory in
            let owner = Cluster(directory: directory, logger: .quiet)
            try await owner.start()
            try await write(1, to: owner)
            let guest = Cluster(directory: directory, logger: .quiet)
            try await guest.start()
            #expect(guest.processID == nil)
            #expect(try await numbers(in: guest) == [1])
            try await guest.stop()
            #expect(try await numbers(in: owner) == [1])
            try await owner.stop()
        }
    }

    @Test("a long path gets a short directory for the socket, and strangers' directories are refused")
    func socketDirectory() throws {
        let deep = "/tmp/" + String(repeating: "deep/", count: 30) + "state"
        let place = try ClusterPlace.choose(deep, account: nil)
        #expect(place.socketDirectory.utf8.count < 40)
        #expect(try place.socketDirectory == ClusterPlace.choose(deep, account: nil).socketDirectory)
        #expect(try place.socketDirectory != ClusterPlace.choose(deep + "2", account: nil).socketDirectory)
        #expect(try ClusterPlace.choose("/srv/x", account: nil).socketDirectory == "/srv/x/socket")

        let planted = "/tmp/perennial-test-planted-\(UUID())"
        try FileManager.default.createSymbolicLink(atPath: planted, withDestinationPath: "/tmp")
        defer { try? FileManager.default.removeItem(atPath: planted) }
        #expect(throws: PostgresError.self) {
            try ClusterPlace(root: planted, socketDirectory: planted).prepare(account: nil)
        }
    }

    @Test("a state directory that the account cannot reach is refused, with what is in the way")
    func unreachable() throws {
        let closed = "/tmp/perennial-test-closed-\(UUID())"
        try FileManager.default.createDirectory(
            atPath: closed + "/open",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: closed) }
        let stranger = ClusterAccount(name: "stranger", userID: 54321, groupID: 54321)
        #expect(stranger.obstacle(on: closed) == closed)
        #expect(stranger.obstacle(on: closed + "/open") == closed)
        #expect(stranger.obstacle(on: "/tmp") == nil)
        let error = #expect(throws: PostgresError.self) {
            try ClusterPlace.choose(closed + "/state/postgres", account: stranger)
        }
        #expect(error?.message.contains("stranger, who may not enter \(closed): set PERENNIAL_STATE") == true)
        #expect(try ClusterPlace.choose("/tmp/state", account: stranger).root == "/tmp/state")
    }

    @Test("what is made on the way to a cluster lets its account through, and what is there already is asked")
    func way() throws {
        let top = "/tmp/perennial-test-way-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: top) }
        guard let account = try ClusterAccount.needed() else { return }
        let place = ClusterPlace(root: top + "/state/postgres", socketDirectory: top + "/state/postgres/socket")
        try place.prepare(account: account)
        for directory in [top, top + "/state"] {
            var status = stat()
            #expect(stat(directory, &status) == 0 && status.st_mode & 0o777 == 0o711)
        }
        chmod(top, 0o700)
        let error = #expect(throws: PostgresError.self) { try place.prepare(account: account) }
        #expect(error?.message.contains("who may not enter \(top)") == true)
    }

    @Test("where there is no cluster, what only reads one makes none, and says where it looked")
    func nothingThere() async throws {
        try await withDirectory { directory in
            let cluster = Cluster(directory: directory, makesMissing: false, logger: .quiet)
            let error = await #expect(throws: PostgresError.self) { try await cluster.start() }
            #expect(error?.message.hasPrefix("there is no database in \(directory)") == true)
            #expect(!FileManager.default.fileExists(atPath: directory))
        }
    }

    @Test("where there is a cluster without its database, what only reads one makes none, and leaves nothing running")
    func noDatabase() async throws {
        try await withDirectory { directory in
            let maker = Cluster(directory: directory, logger: .quiet)
            try await maker.start()
            try await maker.stop()
            let reader = Cluster(directory: directory, database: "app", makesMissing: false, logger: .quiet)
            for _ in 1...2 {
                let error = await #expect(throws: PostgresError.self) { try await reader.start() }
                #expect(error?.message.hasPrefix("there is no database in \(directory)") == true)
                #expect(reader.processID == nil)
            }
            let server = Cluster(directory: directory, database: "app", logger: .quiet)
            try await server.start()
            try await reader.start()
            try await reader.stop()
            try await server.stop()
        }
    }

    @Test("what a killed initdb left behind, or is still writing, is in nobody's way")
    func unfinished() async throws {
        try await withDirectory { directory in
            let place = try ClusterPlace.choose(directory, account: try ClusterAccount.needed())
            try FileManager.default.createDirectory(
                atPath: place.data + ".unfinished/base",
                withIntermediateDirectories: true
            )
            try FileManager.default.createDirectory(atPath: place.data, withIntermediateDirectories: true)
            if let account = try ClusterAccount.needed() { chown(directory, account.userID, account.groupID) }
            let cluster = Cluster(directory: directory, logger: .quiet)
            try await cluster.start()
            try await cluster.stop()
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(names.sorted() == ["data", "owner.lock", "postgres.log", "socket"])
        }
    }

    @Test(
        "data without its version, and what an upgrade left, is not taken for nothing",
        arguments: ["data", "data.postgresql-15"]
    )
    func torn(name: String) async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(name)/base",
                withIntermediateDirectories: true
            )
            if let account = try ClusterAccount.needed() { chown(directory, account.userID, account.groupID) }
            let cluster = Cluster(directory: directory, logger: .quiet)
            let error = await #expect(throws: PostgresError.self) { try await cluster.start() }
            #expect(error?.message.contains(name) == true)
            let reader = Cluster(directory: directory, makesMissing: false, logger: .quiet)
            let told = await #expect(throws: PostgresError.self) { try await reader.start() }
            #expect(told?.message == error?.message)
            #expect(throws: PostgresError.self) { try reader.hasData() }
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(name)") == ["base"])
        }
    }

    @Test("a directory of programs that does not hold them is named")
    func missingTools() {
        let error = #expect(throws: PostgresError.self) {
            try ClusterTools.find(environment: ["PERENNIAL_PG_BINDIR": "/usr/lib"])
        }
        #expect(error?.message.contains("/usr/lib") == true)
    }

    private func scalar(_ query: Query, in cluster: Cluster) async throws -> String {
        try await withPool(PoolConfiguration.patient(cluster.connectionString)) { pool in
            try await pool.query(query)[0].decode(String.self)
        }
    }

    /// Kills a server and its processes with SIGKILL, the server first so that it cannot clean up.
    private func killAll(below processID: Int32) {
        let children =
            (try? String(contentsOfFile: "/proc/\(processID)/task/\(processID)/children", encoding: .utf8)) ?? ""
        kill(processID, SIGKILL)
        for child in children.split(separator: " ") { if let child = Int32(child) { kill(child, SIGKILL) } }
    }
}
