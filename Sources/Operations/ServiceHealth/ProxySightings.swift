import Foundation
import Storage
import Synchronization

/// Proxies near us that are none of ours, as this process has seen them, until they are written (`BackOffice.writeProxySightings`).
package final class ProxySightings: Sendable {
    /// More are not kept: one is enough to say that a setting is missing.
    private static let most = 32
    /// The time, in seconds, before a sighting is written again.
    private static let pause: TimeInterval = 600

    private struct Sighting {
        var isWaiting = true
        var writtenAt = Date.distantPast
    }

    private let sightings = Mutex<[String: Sighting]>([:])

    package init() {}

    /// - Returns: true for the first time.
    package func note(_ address: String) -> Bool {
        sightings.withLock { known in
            if known[address] != nil {
                known[address]?.isWaiting = true
                return false
            }
            guard known.count < Self.most else { return false }
            known[address] = Sighting()
            return true
        }
    }

    /// The addresses seen since the last call, except those returned a moment ago.
    func take(at now: Date) -> [String] {
        sightings.withLock { known in
            let due = known.filter { $0.value.isWaiting && now.timeIntervalSince($0.value.writtenAt) >= Self.pause }
                .keys
            for address in due { known[address] = Sighting(isWaiting: false, writtenAt: now) }
            return due.sorted()
        }
    }
}

extension BackOffice {
    /// The time, in seconds, for which an untrusted proxy is reported.
    private static let proxyMemory: TimeInterval = 86_400

    /// Writes the untrusted proxies that this process has seen. Those that cannot be written are seen again.
    package func writeProxySightings() async throws {
        let addresses = proxies.take(at: database.now)
        guard !addresses.isEmpty else { return }
        try await database.noteUntrustedProxies(addresses)
    }

    /// The proxies that are none of ours and passed requests on within the last day, on any server.
    package func untrustedProxies() async throws -> [String] {
        try await database.untrustedProxies(since: database.now.addingTimeInterval(-Self.proxyMemory))
    }

    package func forgetUntrustedProxies() async throws {
        try await database.forgetUntrustedProxies(before: database.now.addingTimeInterval(-Self.proxyMemory))
    }
}
