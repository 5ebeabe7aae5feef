import Foundation

/// A database server that runs on a cluster and is not our child, as the cluster's `postmaster.pid` names it.
///
/// Numbers of processes are used again: a file that a crash left behind may name a stranger, who is never signalled.
/// While a `postgres` of whomever has the number, the file stays: to take a running server's is to let two write to the
/// same data.
struct ClusterOwner: Sendable, Equatable {
    let processID: Int32

    /// The process that a number in a pid file stands for.
    enum Finding: Equatable {
        /// No process has it.
        case nobody
        /// It runs on this cluster.
        case postmaster
        /// It is no database server.
        case stranger
        /// It is a database server that does not seem to run here, or this system does not let us tell.
        case unknown
    }

    /// Nil when nothing runs on the cluster; a file that a stranger's number makes misleading goes.
    ///
    /// - Throws: `PostgresError` with `.cluster` when it is unknown whose process it is.
    static func current(_ place: ClusterPlace) throws -> Self? {
        let file = place.data + "/postmaster.pid"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
            // safe: reads text
            let processID = text.split(separator: "\n").first.flatMap({ Int32($0) }), processID > 0
        else { return nil }
        switch finding(processID, data: place.data) {
        case .nobody: return nil
        case .postmaster: return Self(processID: processID)
        case .stranger:
            // PostgreSQL itself would take a process of its own account for a server that still runs.
            try? FileManager.default.removeItem(atPath: file)
            return nil
        case .unknown:
            throw PostgresError(
                .cluster,
                "\(file) names the process \(processID), and it cannot be told whether that is the cluster's server: "
                    + "if it is not, remove the file; if it is, end it (kill -INT \(processID))"
            )
        }
    }

    /// Finds out which process has a number. Its working directory tells best, but may not be ours to see; its command line
    /// always is.
    static func finding(_ processID: Int32, data: String) -> Finding {
        guard kill(processID, 0) == 0 || errno == EPERM else { return .nobody }
        let process = "/proc/\(processID)"
        let here = DirectoryIdentity(data)
        let worksHere = here != nil && DirectoryIdentity(process + "/cwd") == here
        guard let line = FileManager.default.contents(atPath: process + "/cmdline") else {
            return kill(processID, 0) == 0 || errno == EPERM ? .unknown : .nobody
        }
        let found = finding(commandLine: line, data: data)
        guard worksHere else { return found }
        // One that ends works here for a moment longer than it has words; of anything else somebody has to say.
        return found == .stranger ? .unknown : .postmaster
    }

    /// Decides by the words of a command line, each of which ends with a NUL.
    ///
    /// A postmaster keeps its words; the processes below it show a title instead, and one that ends shows nothing.
    static func finding(commandLine: Data, data: String) -> Finding {
        let words = commandLine.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard let program = words.first else { return .nobody }
        let name = (program as NSString).lastPathComponent
        guard ["postgres", "postmaster"].contains(name) || program.hasPrefix("postgres:") else { return .stranger }
        let namesData = words.dropFirst().contains { isSame($0.hasPrefix("-D") ? String($0.dropFirst(2)) : $0, data) }
        return namesData ? .postmaster : .unknown
    }

    private static func isSame(_ word: String, _ data: String) -> Bool {
        guard word.hasPrefix("/"), let there = DirectoryIdentity(word) else { return word == data }
        return there == DirectoryIdentity(data)
    }
}

/// One directory, whatever paths lead to it.
struct DirectoryIdentity: Equatable {
    let device: UInt64
    let file: UInt64

    /// Nil for what is not there, or not ours to see.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, file) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }
}
