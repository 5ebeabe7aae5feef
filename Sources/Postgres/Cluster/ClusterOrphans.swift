import Foundation
import Logging

/// What a database server leaves behind whose postmaster is killed, by the kernel for want of memory, say.
///
/// Most of its processes notice and end. One that waits for a lock of a process which was killed too waits for ever, and while it
/// is attached to the shared memory no server starts on the data ("pre-existing shared memory block is still in use"). The
/// postmaster can end it no more, so we do (PostgreSQL's documentation, "Shutting Down the Server").
struct ClusterOrphans: Sendable {
    /// How long they may take to end by themselves; PostgreSQL gives its own five seconds, too.
    private static let patience = Duration.seconds(5)

    let place: ClusterPlace
    let logger: Logger

    /// Blocks until there are none, at most for half a minute. Does nothing while a postmaster runs on the cluster, or where that
    /// cannot be told.
    func end() {
        let startedAt = ContinuousClock.now
        var killed: Set<Int32> = []
        while !mayHavePostmaster {
            let processes = Self.processes(in: place.data)
            let waited = startedAt.duration(to: .now)
            // One that the kernel cannot end, as its disk hangs, is for PostgreSQL's own error to name.
            guard !processes.isEmpty, waited < .seconds(30) else { return }
            if waited > Self.patience {
                for process in processes where killed.insert(process).inserted {
                    logger.warning(
                        "a process that the database server left behind does not end and is killed",
                        metadata: ["pid": "\(process)"]
                    )
                    kill(process, SIGKILL)
                }
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    private var mayHavePostmaster: Bool {
        do {
            return try ClusterOwner.current(place) != nil
        } catch {
            return true
        }
    }

    /// The database processes that work in a directory; none where the system does not tell (it is Linux that does).
    static func processes(in data: String) -> [Int32] {
        guard let here = DirectoryIdentity(data) else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { process in  // safe: reads text
            DirectoryIdentity("/proc/\(process)/cwd") == here && program(of: process).hasPrefix("postgres")
        }
    }

    /// The name of the file that a process runs; "postgres (deleted)" when it was replaced meanwhile.
    private static func program(of process: Int32) -> String {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        return ((path ?? "") as NSString).lastPathComponent
    }
}
