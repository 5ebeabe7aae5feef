import Foundation
import Testing

@testable import Postgres

@Suite("Programs", .timeLimit(.minutes(15)))
struct CommandTests {
    @Test("a program is ended when its task is cancelled, and none is started for one that was")
    func cancelled() async throws {
        let startedAt = ContinuousClock.now
        let sign = "/tmp/perennial-test-started-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: sign) }
        let script = "touch \(sign); exec /bin/sleep 60"
        let running = Task { try await Command(path: "/bin/sh", arguments: ["-c", script]).run() }
        try await until { FileManager.default.fileExists(atPath: sign) }
        running.cancel()
        await #expect(throws: (any Error).self) { try await running.value }
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Command(path: "/bin/sleep", arguments: ["60"]).run()
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(startedAt.duration(to: .now) < .seconds(30))
    }
}
