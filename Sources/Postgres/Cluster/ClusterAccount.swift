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

    /// True when the account can pass through the directory and all above it.
    func canReach(_ directory: String) -> Bool {
        var path = directory
        while !path.isEmpty {
            var status = stat()
            if stat(path, &status) == 0, !canEnter(status) { return false }
            guard path != "/" else { return true }
            path = (path as NSString).deletingLastPathComponent
        }
        return true
    }

    private func canEnter(_ status: stat) -> Bool {
        let mode = UInt32(status.st_mode)
        if status.st_uid == userID { return mode & 0o100 != 0 }
        if status.st_gid == groupID { return mode & 0o010 != 0 }
        return mode & 0o001 != 0
    }
}
