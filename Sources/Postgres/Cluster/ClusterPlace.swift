import Foundation

/// Where a cluster keeps its data, its socket and its log.
struct ClusterPlace: Sendable, Equatable {
    let root: String
    let socketDirectory: String

    var data: String { root + "/data" }
    var log: String { root + "/postgres.log" }
    var lock: String { root + "/owner.lock" }

    /// The directory itself; or, when the account that PostgreSQL runs under cannot get there (as below `/root`), one
    /// below `/var/lib` whose name is made from it.
    static func choose(_ directory: String, account: ClusterAccount?, temporary: String = "/tmp") -> Self {
        var root = absolute(directory)
        if let account, !account.canReach((root as NSString).deletingLastPathComponent) {
            root = "/var/lib/perennial/cluster-\(fingerprint(root))"
        }
        let inside = root + "/socket"
        // A socket's path has at most 107 bytes (103 on macOS), of which `/.s.PGSQL.5432` takes 14.
        let isShort = inside.utf8.count <= 88
        return Self(
            root: root,
            socketDirectory: isShort ? inside : "\(temporary)/perennial-\(fingerprint(root))"
        )
    }

    /// Makes the directories, which nobody but the account may enter.
    func prepare(account: ClusterAccount?) throws {
        try FileManager.default.createDirectory(
            atPath: (root as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        for directory in [root, socketDirectory] {
            try makePrivate(directory, account: account)
        }
    }

    /// What is kept outside the root goes with the server.
    func removeSocketDirectory() {
        if !socketDirectory.hasPrefix(root) { rmdir(socketDirectory) }
    }

    private func makePrivate(_ directory: String, account: ClusterAccount?) throws {
        let owner = account?.userID ?? geteuid()
        if mkdir(directory, 0o700) == 0 {
            if let account, chown(directory, account.userID, account.groupID) != 0 { throw failure(directory) }
        } else if errno != EEXIST {
            throw failure(directory)
        }
        // What others made, or a link they planted below /tmp, is not ours to use.
        var status = stat()
        guard lstat(directory, &status) == 0 else { throw failure(directory) }
        guard UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFDIR) else {
            throw PostgresError(.cluster, "\(directory) is no directory")
        }
        if status.st_uid != owner {
            guard let account, status.st_uid == 0, isEmpty(directory),
                chown(directory, account.userID, account.groupID) == 0
            else {
                throw PostgresError(.cluster, "\(directory) belongs to another user (id \(status.st_uid))")
            }
        }
        guard UInt32(status.st_mode) & 0o077 == 0 || chmod(directory, 0o700) == 0 else { throw failure(directory) }
    }

    private func isEmpty(_ directory: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: directory).isEmpty) ?? false
    }

    private func failure(_ directory: String) -> PostgresError {
        PostgresError(.cluster, "cannot make the directory \(directory): \(String(cString: strerror(errno)))")
    }

    private static func absolute(_ directory: String) -> String {
        URL(fileURLWithPath: directory).standardizedFileURL.resolvingSymlinksInPath().path
    }

    private static func fingerprint(_ path: String) -> String {
        Migrator.Migration(name: "", sql: path).checksum
    }
}
