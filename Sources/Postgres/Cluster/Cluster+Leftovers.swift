import Foundation

// A cluster that is made to be thrown away stays when the program that made it is killed: with a copy of what was in it.
extension Cluster {
    /// The clusters in a directory whose names begin so, and that nobody runs any more.
    package static func leftovers(_ prefix: String, in directory: String) -> [String] {
        all(prefix, in: directory).filter { FileLock(of: $0 + "/owner.lock") != nil }
    }

    /// Removes them.
    package static func removeLeftovers(_ prefix: String, in directory: String) {
        for path in all(prefix, in: directory) {
            guard let lock = FileLock(of: path + "/owner.lock") else { continue }
            withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path) }
        }
    }

    /// Only those of our own account: anybody may put things in a directory for temporary files.
    private static func all(_ prefix: String, in directory: String) -> [String] {
        let owner = (try? ClusterAccount.needed())?.userID ?? geteuid()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted().filter { $0.hasPrefix(prefix) }.map { "\(directory)/\($0)" }.filter { path in
            var status = stat()
            return lstat(path, &status) == 0 && status.st_uid == owner
                && UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFDIR)
        }
    }
}
