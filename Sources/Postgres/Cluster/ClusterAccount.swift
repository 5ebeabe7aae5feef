import Foundation

/// The unprivileged account that PostgreSQL runs under when we are root, as it refuses to run as root.
struct ClusterAccount: Sendable, Equatable {
    let name: String
    let userID: UInt32
    let groupID: UInt32

    /// Nil when we are not root and PostgreSQL runs as we do.
    static func needed() throws -> Self? {
        guard geteuid() == 0 else { return nil }
        guard let entry = getpwnam("postgres") else {
            throw PostgresError(
                .cluster,
                "PostgreSQL does not run as root and there is no user `postgres`: `useradd --system postgres`"
            )
        }
        return Self(name: "postgres", userID: entry.pointee.pw_uid, groupID: entry.pointee.pw_gid)
    }

    /// The first directory on the way to `directory`, itself included, that the account may not pass through; nil when
    /// it can reach it.
    func obstacle(on directory: String) -> String? {
        guard directory != "/", !directory.isEmpty else { return nil }
        if let above = obstacle(on: (directory as NSString).deletingLastPathComponent) { return above }
        var status = stat()
        return stat(directory, &status) == 0 && !canEnter(status) && !isLetInto(directory) ? directory : nil
    }

    /// By the mode alone, without a process.
    private func canEnter(_ status: stat) -> Bool {
        let mode = UInt32(status.st_mode)
        if status.st_uid == userID { return mode & 0o100 != 0 }
        if status.st_gid == groupID { return mode & 0o010 != 0 }
        return mode & 0o001 != 0
    }

    /// Further groups of the account, and access control lists, may let it in where the mode does not.
    private func isLetInto(_ directory: String) -> Bool {
        (try? Command(path: "test", arguments: ["-x", directory], account: self).runBlocking()) != nil
    }
}
