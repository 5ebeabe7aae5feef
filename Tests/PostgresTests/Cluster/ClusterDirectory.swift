import Foundation
import TestSupport

/// Runs a test with a directory for its clusters, and removes it afterwards.
func withDirectory(_ body: (String) async throws -> Void) async throws {
    let directory = TestCluster.parent + "/perennial-test-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await body(directory)
}
