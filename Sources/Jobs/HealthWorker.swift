import Logging
package import Operations
import ServiceLifecycle

/// Writes what this process counted of how well it works, and looks at how the inbox stands.
package struct HealthWorker: Service {
    private static let interval = Duration.seconds(10)
    /// Every minute.
    private static let turnsPerSample = 6

    private let backOffice: BackOffice
    private let samplesInbox: Bool

    /// - Parameter samplesInbox: whether this process also looks at the inbox; of several that do, the largest figure of an hour
    ///   is kept.
    package init(backOffice: BackOffice, samplesInbox: Bool) {
        self.backOffice = backOffice
        self.samplesInbox = samplesInbox
    }

    /// Works until the service is told to stop, and then writes what is left. A write under way is finished: nobody would know
    /// whether one that is broken off was made.
    package func run() async throws {
        var turns = 0
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            if samplesInbox, turns.isMultiple(of: Self.turnsPerSample) { await sample() }
            await write()
            turns += 1
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
        }
        await write()
    }

    private func write() async {
        do {
            _ = try await backOffice.writeHealth()
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("health not written; it is written later", metadata: ["error": "\(error)"])
        }
        do {
            try await backOffice.writeProxySightings()
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("proxies not written; they are seen again", metadata: ["error": "\(error)"])
        }
    }

    private func sample() async {
        do {
            try await backOffice.sampleInbox()
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("inbox not looked at", metadata: ["error": "\(error)"])
        }
    }
}
