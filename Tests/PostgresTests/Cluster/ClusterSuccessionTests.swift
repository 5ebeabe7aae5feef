import Foundation
import Logging
import TestSupport
import Testing

@testable import Postgres

@Suite("Cluster succession", .serialized, .timeLimit(.minutes(15)))
struct ClusterSuccessionTests {
    @Test("whoever still runs takes the cluster over from its starter, and the last one ends it")
    func takeOver() async throws {
        try await withDirectory { directory in
            let starter = Cluster(directory: directory, logger: .quiet)
            try await starter.start()
            let (second, third) = (
                Cluster(directory: directory, logger: .quiet), Cluster(directory: directory, logger: .quiet)
            )
            try await second.start()
            try await third.start()
            #expect(second.processID == nil && third.processID == nil)
            try await withPool(PoolConfiguration.patient(second.connectionString)) { pool in
                _ = try await pool.query("CREATE TABLE t (n int8)")
                try await starter.stop()
                try await until { (try? await pool.query("INSERT INTO t VALUES (1)")) != nil }
            }
            #expect([second, third].compactMap(\.processID).count == 1)
            let (heir, other) = second.processID != nil ? (second, third) : (third, second)
            try await heir.stop()
            try await until { other.processID != nil }
            try await withPool(PoolConfiguration.patient(other.connectionString)) { pool in
                try await until { (try? await pool.query("SELECT n FROM t"))?.count == 1 }
            }
            let last = try #require(other.processID)
            try await other.stop()
            #expect(kill(last, 0) != 0)
        }
    }

    @Test("one that comes while the starter ends does not fail")
    func meanwhile() async throws {
        try await withDirectory { directory in
            for _ in 1...5 {
                let starter = Cluster(directory: directory, database: "app", logger: .quiet)
                try await starter.start()
                let successor = Cluster(directory: directory, database: "app", logger: .quiet)
                async let ended: Void = starter.stop()
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...40)))
                try await successor.start()
                try await ended
                try await withPool(PoolConfiguration.patient(successor.connectionString)) { pool in
                    try await until { (try? await pool.query("SELECT 1")) != nil }
                }
                try await successor.stop()
            }
        }
    }

    @Test("one that asks for its database while nobody runs the cluster gets the heir's answer")
    func betweenTwo() async throws {
        try await withDirectory { directory in
            let starter = Cluster(directory: directory, database: "app", logger: .quiet)
            try await starter.start()
            let heir = Cluster(directory: directory, database: "app", logger: .quiet)
            try await heir.start()
            try await starter.stop()
            let isThere = try await heir.whileHandedOver { try await heir.exists(database: "app") }
            #expect(isThere)
            let isElsewhere = try await heir.whileHandedOver { try await heir.exists(database: "other") }
            #expect(!isElsewhere)
            try await heir.stop()
        }
    }
}
