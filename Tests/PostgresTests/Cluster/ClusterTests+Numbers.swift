import TestSupport

@testable import Postgres

extension ClusterTests {
    func write(_ number: Int, to cluster: Cluster) async throws {
        try await withPool(PoolConfiguration.patient(cluster.connectionString)) { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            _ = try await pool.query("INSERT INTO t VALUES (\(number))")
        }
    }

    func numbers(in cluster: Cluster) async throws -> [Int] {
        try await withPool(PoolConfiguration.patient(cluster.connectionString)) { pool in
            try await pool.query("SELECT n FROM t ORDER BY n").map { try $0.decode(Int.self) }
        }
    }
}
