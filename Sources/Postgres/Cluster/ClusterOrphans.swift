import Foundation
import Logging

/// The processes that a killed postmaster leaves behind. The kernel may kill it when memory runs out.
///
/// Most of them notice and end. One that waits for a lock of another killed process never ends. While it is attached to the shared
/// memory, PostgreSQL refuses to start on the data ("pre-existing shared memory block is still in use"). PostgreSQL's
/// documentation ("Shutting Down the Server") says to end such processes by hand; this does it.
struct ClusterOrphans: Sendable {
    /// The time they have to end by themselves; PostgreSQL gives its own five seconds, too.
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
            // A process in a hanging disk call cannot be killed; PostgreSQL's own error names it.
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

    /// The database processes whose working directory is `data`. Only Linux tells; elsewhere there are none.
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
