import Storage

extension Wiring {
    /// Returns the doctor's findings on the copies of the database: the replica that pages are read from, and the standbys that a
    /// failover would go to.
    func copies(_ database: Database) async throws -> [Finding] {
        var findings: [Finding] = []
        if let replica = database.replica {
            let usual = Duration.seconds(3) * configuration.patience
            findings.append(Self.finding(await replica.lookUntilItFollows(within: usual, patience: usual)))
        }
        if let standbys = try await database.standbys() { findings.append(Self.finding(standbys)) }
        return findings
    }

    private static func finding(_ status: ReplicaStatus) -> Finding {
        guard let problem = status.problem else {
            return .well("the replica follows (\(status.bytesBehind ?? 0) bytes behind)")
        }
        return .ill(
            "pages are read from the primary, not from the replica: \(problem)",
            mend: status.isPaused
                ? "on the replica: SELECT pg_wal_replay_resume()"
                : "check PERENNIAL_READ_DATABASE_URL, and on the replica: SELECT * FROM pg_stat_wal_receiver"
        )
    }

    private static func finding(_ standbys: Standbys) -> Finding {
        let count = standbys.count == 1 ? "1 standby" : "\(standbys.count) standbys"
        let loses = "a failover may lose notifications that the stores were told are kept"
        guard standbys.hasSynchronous else {
            return .ill(
                "\(count), and none is synchronous: \(loses)",
                mend: "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)', and SELECT pg_reload_conf() "
                    + "(docs/operations.md, Failover)"
            )
        }
        let mend = "set synchronous_commit to on for this database and its role"
        switch standbys.wait {
        case .disk: return .well("\(count), and a commit waits for a synchronous one")
        case .memory:
            return .ill(
                "synchronous_commit is \(standbys.synchronousCommit), which does not wait for the standby's disk: where its "
                    + "machine fails, too, \(loses)",
                mend: mend
            )
        case .nothing:
            return .ill(
                "synchronous_commit is \(standbys.synchronousCommit), which waits for no standby: \(loses)",
                mend: mend
            )
        }
    }
}
