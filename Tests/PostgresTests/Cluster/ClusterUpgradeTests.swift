import Foundation
import Logging
import TestSupport
import Testing

@testable import Postgres

@Suite("Cluster upgrade", .serialized, .timeLimit(.minutes(15)))
struct ClusterUpgradeTests {
    @Test("an upgrade carries the data over, keeps what was there before, and leaves a cluster that starts")
    func upgrade() async throws {
        try await withDirectory { directory in
            let cluster = Cluster(directory: directory, database: "app", logger: .quiet)
            try await cluster.start()
            try await write(to: cluster)
            try await cluster.stop()
            let account = try ClusterAccount.needed()
            let place = try ClusterPlace.choose(directory, account: account)
            // The mechanism is the same for two sets of programs of one version, and only one is sure to be installed.
            let tools = try ClusterTools.find()
            let done = try await cluster.upgrade(place, from: tools, to: tools, account)
            #expect(
                done
                    == ClusterUpgrade(
                        from: tools.version,
                        to: tools.version,
                        kept: place.data + ".postgresql-\(tools.version)"
                    )
            )
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(
                names.sorted() == ["data", "data.postgresql-\(tools.version)", "owner.lock", "postgres.log", "socket"]
            )
            let again = Cluster(directory: directory, database: "app", makesMissing: false, logger: .quiet)
            try await again.start()
            try await withPool(PoolConfiguration.patient(again.connectionString)) { pool in
                let kept = try await pool.query("SELECT n FROM t")[0].decode(Int.self)
                #expect(kept == 7)
            }
            let busy = await #expect(throws: PostgresError.self) { try await cluster.upgrade() }
            #expect(busy?.message.contains("another process runs the cluster") == true)
            try await again.stop()
            let refused = await #expect(throws: PostgresError.self) {
                try await cluster.upgrade(place, from: tools, to: tools, account)
            }
            #expect(refused?.message.contains("is there already") == true)
        }
    }

    @Test("data of the newest version that there is stays as it is")
    func current() async throws {
        try await withDirectory { directory in
            let cluster = Cluster(directory: directory, logger: .quiet)
            try await cluster.start()
            try await cluster.stop()
            #expect(try await cluster.upgrade() == nil)
        }
    }

    @Test("data of a version whose programs are missing is not started with others: the error says what to install")
    func missingVersion() async throws {
        try await withDirectory { directory in
            let cluster = Cluster(directory: directory, logger: .quiet)
            try await cluster.start()
            try await cluster.stop()
            try "9\n".write(toFile: directory + "/data/PG_VERSION", atomically: false, encoding: .utf8)
            let error = await #expect(throws: PostgresError.self) { try await cluster.start() }
            #expect(error?.message.contains("the data is of PostgreSQL 9") == true)
            #expect(error?.message.contains("perennial upgrade-cluster") == true)
        }
    }

    @Test(
        "the version of programs is read from what they say",
        arguments: [
            ("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)", 15), ("postgres (PostgreSQL) 17beta1", 17),
            ("postgres (PostgreSQL)", nil),
        ] as [(String, Int?)]
    )
    func version(text: String, version: Int?) {
        #expect(ClusterTools.majorVersion(in: text) == version)
    }

    private func write(to cluster: Cluster) async throws {
        try await withPool(PoolConfiguration.patient(cluster.connectionString)) { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            _ = try await pool.query("INSERT INTO t VALUES (7)")
        }
    }
}
