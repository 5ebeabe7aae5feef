import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("Clusters to be thrown away") struct ClusterLeftoversTests {
    @Test("one that a killed program left is found and removed; one that is held, or is not of that name, stays")
    func leftovers() throws {
        let files = FileManager.default
        let parent = TestCluster.parent + "/perennial-test-\(UUID().uuidString.prefix(8))"
        defer { try? files.removeItem(atPath: parent) }
        let (left, held, other) = (parent + "/check-left", parent + "/check-held", parent + "/other")
        for path in [left, held, other] {
            try files.createDirectory(atPath: path + "/data", withIntermediateDirectories: true)
            #expect(files.createFile(atPath: path + "/owner.lock", contents: nil))
            if let account = try ClusterAccount.needed() { chown(path, account.userID, account.groupID) }
        }
        try files.createSymbolicLink(atPath: parent + "/check-link", withDestinationPath: other)
        let lock = FileLock(of: held + "/owner.lock")
        #expect(lock != nil)
        #expect(Cluster.leftovers("check-", in: parent) == [left])
        Cluster.removeLeftovers("check-", in: parent)
        withExtendedLifetime(lock) {
            let names = (try? files.contentsOfDirectory(atPath: parent)) ?? []
            #expect(names.sorted() == ["check-held", "check-link", "other"])
        }
        #expect(files.fileExists(atPath: other + "/data"))
    }
}
