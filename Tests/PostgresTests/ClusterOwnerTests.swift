import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("Cluster owner")
struct ClusterOwnerTests {
    @Test("a process is the cluster's server by the program and the data that its command line names")
    func commandLine() {
        func finding(_ words: String...) -> ClusterOwner.Finding {
            ClusterOwner.finding(
                commandLine: Data(words.map { $0 + "\0" }.joined().utf8),
                data: "/srv/state/postgres/data"
            )
        }
        #expect(finding("/usr/lib/postgresql/15/bin/postgres", "-D", "/srv/state/postgres/data") == .postmaster)
        #expect(finding("/usr/lib/postgresql/15/bin/postgres", "-D", "/srv/other/data") == .stranger)
        #expect(finding("/usr/bin/rsync", "-a", "/srv/state/postgres/data", "backup:") == .stranger)
        #expect(finding("postgres: perennial: checkpointer ") == .stranger)
        #expect(finding() == .nobody)
    }

    @Test("a process that we may not look into is told by its command line, and nobody's number by its absence")
    func processes() throws {
        #expect(ClusterOwner.finding(ProcessInfo.processInfo.processIdentifier, data: "/nowhere") == .stranger)
        #expect(ClusterOwner.finding(Int32.max, data: "/nowhere") == .nobody)
    }

    @Test("a pid file that names a stranger goes, and the stranger lives")
    func stranger() async throws {
        let directory = TestCluster.parent + "/perennial-test-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let place = ClusterPlace(root: directory, socketDirectory: directory + "/socket")
        try FileManager.default.createDirectory(atPath: place.data, withIntermediateDirectories: true)
        let bystander = try Command(path: "/bin/sleep", arguments: ["60"]).start(output: 2)
        let file = place.data + "/postmaster.pid"
        try "\(bystander.processID)\n\(place.data)\n1700000000\n5432\n".write(
            toFile: file,
            atomically: true,
            encoding: .utf8
        )
        #expect(try ClusterOwner.current(place) == nil)
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(kill(bystander.processID, 0) == 0)
        kill(bystander.processID, SIGKILL)
        _ = bystander.waitUntilExit()
    }

    @Test("a program that we start gets none of our files, whatever they forgot to say")
    func inherited() throws {
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listening) }
        #expect(fcntl(listening, F_GETFD) & FD_CLOEXEC == 0)
        let seen = try Command(path: "/bin/sh", arguments: ["-c", "ls /proc/self/fd | xargs echo"]).runBlocking()
        // Its own three, and the directory that it reads.
        #expect(seen == "0 1 2 3")
    }
}
