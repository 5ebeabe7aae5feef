import Foundation

/// The directories where a cluster keeps its data, its socket and its log.
struct ClusterPlace: Sendable, Equatable {
    let root: String
    let socketDirectory: String

    var data: String { root + "/data" }
    var log: String { root + "/postgres.log" }
    var lock: String { root + "/owner.lock" }

    /// The place in a directory, and nowhere else: who moves or copies the directory has all of it.
    ///
    /// - Throws: `PostgresError` with `.cluster` when the account that PostgreSQL runs under cannot get there (as below
    ///   `/root`), with what mends it.
    static func choose(_ directory: String, account: ClusterAccount?, temporary: String = "/tmp") throws -> Self {
        let root = absolute(directory)
        if let account, let obstacle = account.obstacle(on: (root as NSString).deletingLastPathComponent) {
            throw PostgresError(.cluster, unreachable(root, account, obstacle))
        }
        let inside = root + "/socket"
        // A socket's path has at most 107 bytes (103 on macOS), of which `/.s.PGSQL.5432` takes 14.
        let isShort = inside.utf8.count <= 88
        return Self(
            root: root,
            socketDirectory: isShort ? inside : "\(temporary)/perennial-\(fingerprint(root))"
        )
    }

    private static func unreachable(_ root: String, _ account: ClusterAccount, _ obstacle: String) -> String {
        let reason = "PostgreSQL runs as the user \(account.name), who may not enter \(obstacle)"
        // Versions before kept the data here, under a name made from the state directory's.
        let former = "/var/lib/perennial/cluster-\(fingerprint(root))"
        guard FileManager.default.fileExists(atPath: former + "/data/PG_VERSION") else {
            return "\(reason): set PERENNIAL_STATE to a directory that it can reach, such as /var/lib/perennial"
        }
        let state = (root as NSString).deletingLastPathComponent
        return "\(reason), so an earlier version kept the data in \(former): move \(state) to where it can go, such as "
            + "/var/lib/perennial/state, then \(former) to `postgres` in it, and set PERENNIAL_STATE"
    }

    /// True when there is a cluster, running or not.
    var hasData: Bool { FileManager.default.fileExists(atPath: data + "/PG_VERSION") }

    /// The major version of PostgreSQL whose data this is; nil when there is none.
    var version: Int? {
        (try? String(contentsOfFile: data + "/PG_VERSION", encoding: .utf8))
            .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Makes the directories, which nobody but the account may enter.
    ///
    /// - Throws: `PostgresError` with `.cluster` when they cannot be made, or the account cannot get there.
    func prepare(account: ClusterAccount?) throws {
        let parent = (root as NSString).deletingLastPathComponent
        try makeWay(to: parent, account: account)
        if let account, let obstacle = account.obstacle(on: parent) {
            throw PostgresError(.cluster, Self.unreachable(root, account, obstacle))
        }
        for directory in [root, socketDirectory] {
            try makePrivate(directory, account: account)
        }
    }

    /// Removes a socket directory outside the root, which goes with the server.
    func removeSocketDirectory() {
        if !socketDirectory.hasPrefix(root) { rmdir(socketDirectory) }
    }

    /// Removes the remains of first starts that were killed.
    func removeUnfinished() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        where name.hasPrefix("data.unfinished") {
            try? FileManager.default.removeItem(atPath: root + "/" + name)
        }
    }

    /// A name under which a cluster is made until it is whole, so that one that is killed meanwhile is not taken for
    /// one. It is used once: what a killed program was writing may go on for a moment.
    func newUnfinished() -> String { data + ".unfinished-\(UUID().uuidString.prefix(8))" }

    /// Lends the account an empty directory to work in, and removes it with what was left there.
    func withWorkingDirectory<R>(account: ClusterAccount?, _ body: (String) async throws -> R) async throws -> R {
        let directory = root + "/work"
        try? FileManager.default.removeItem(atPath: directory)
        try makePrivate(directory, account: account)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await body(directory)
    }

    /// Gives a directory its name for good; it is not there before all that was written to it.
    func move(_ directory: String, to name: String) throws {
        guard rename(directory, name) == 0 else {
            throw PostgresError(.cluster, "cannot move \(directory) to \(name): \(String(cString: strerror(errno)))")
        }
        let descriptor = open(root, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(root) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(root) }
    }

    /// Data without its version, or under the name that an upgrade gives it, is a user's data: nothing new is made
    /// beside it.
    func checkThatNothingIsLost() throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        if let kept = names.sorted().last(where: { $0.hasPrefix("data.postgresql-") }) {
            throw PostgresError(
                .cluster,
                "there is no \(data), but an upgrade that was cut short left \(root)/\(kept): "
                    + "rename that to `data`, then upgrade again"
            )
        }
        guard names.contains("data"), !isEmpty(data) else { return }
        throw PostgresError(
            .cluster,
            "\(data) is not empty, but no data of PostgreSQL either (PG_VERSION is missing): restore it from a backup, or "
                + "move it away to begin anew"
        )
    }

    /// Makes a directory with those above it. The account may pass through what is made, whatever the umask says.
    private func makeWay(to directory: String, account: ClusterAccount?) throws {
        guard directory != "/", !directory.isEmpty, !FileManager.default.fileExists(atPath: directory) else { return }
        try makeWay(to: (directory as NSString).deletingLastPathComponent, account: account)
        guard mkdir(directory, 0o777) == 0 else {
            guard errno == EEXIST else { throw failure(directory) }
            return
        }
        guard account == nil || chmod(directory, 0o711) == 0 else { throw failure(directory) }
    }

    private func makePrivate(_ directory: String, account: ClusterAccount?) throws {
        let owner = account?.userID ?? geteuid()
        if mkdir(directory, 0o700) == 0 {
            if let account, chown(directory, account.userID, account.groupID) != 0 { throw failure(directory) }
        } else if errno != EEXIST {
            throw failure(directory)
        }
        // A directory that others made, or a link that they planted below /tmp, is not ours to use.
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
