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
        #expect(finding("/usr/lib/postgresql/15/bin/postgres", "-D/srv/state/postgres/data") == .postmaster)
        // This may be somebody else's server, or ours by a path that we do not see: its file is left alone.
        #expect(finding("/usr/lib/postgresql/15/bin/postgres", "-D", "/srv/other/data") == .unknown)
        #expect(finding("/usr/bin/rsync", "-a", "/srv/state/postgres/data", "backup:") == .stranger)
        #expect(finding("postgres: perennial: checkpointer ") == .unknown)
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
        // Until it has become the program, it has no arguments of its own.
        try await until { ClusterOwner.finding(bystander.processID, data: place.data) == .stranger }
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

    @Test("a server is told by the directory that it works in, whatever links lead there, and its file is left alone")
    func linked() async throws {
        let directory = TestCluster.parent + "/perennial-test-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let place = ClusterPlace(root: directory, socketDirectory: directory + "/socket")
        let (program, target) = (directory + "/postgres", directory + "/elsewhere")
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: place.data, withDestinationPath: target)
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/bin/sleep")
        let server = try Command(path: program, arguments: ["60"], directory: target).start(output: 2)
        defer {
            kill(server.processID, SIGKILL)
            _ = server.waitUntilExit()
        }
        // It is a shell until it is in its directory, and has no arguments while it becomes the program.
        try await until {
            ClusterOwner.finding(server.processID, data: directory) == .unknown
                && ClusterOwner.finding(server.processID, data: place.data) == .postmaster
        }
        let file = target + "/postmaster.pid"
        try "\(server.processID)\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try ClusterOwner.current(place) == ClusterOwner(processID: server.processID))

        let other = ClusterPlace(root: directory + "/other", socketDirectory: directory + "/socket")
        try FileManager.default.createDirectory(atPath: other.data, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: file, toPath: other.data + "/postmaster.pid")
        let error = #expect(throws: PostgresError.self) { try ClusterOwner.current(other) }
        #expect(error?.message.contains("names the process \(server.processID)") == true)
        #expect(FileManager.default.fileExists(atPath: other.data + "/postmaster.pid"))
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
