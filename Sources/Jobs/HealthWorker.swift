import Logging
package import Operations
import ServiceLifecycle

/// Writes what this process counted of how well it works, and which customers called, and looks at how the inbox stands.
package struct HealthWorker: Service {
    private static let interval = Duration.seconds(10)
    /// Every minute.
    private static let turnsPerSample = 6

    private let backOffice: BackOffice
    private let samplesInbox: Bool
    private let onBeat: @Sendable (_ stalledFor: Duration?) -> Void

    /// - Parameter samplesInbox: true if this process, which also works on the inbox, measures it; of several that do, the
    ///   largest metric of an hour is kept.
    /// - Parameter onBeat: receives, every ten seconds, the time for which notifications have waited with none applied.
    package init(
        backOffice: BackOffice,
        samplesInbox: Bool,
        onBeat: @escaping @Sendable (_ stalledFor: Duration?) -> Void = { _ in }
    ) {
        self.onBeat = onBeat
        self.backOffice = backOffice
        self.samplesInbox = samplesInbox
    }

    /// Works until the service is told to stop, and then writes what is left. A write under way is finished: nobody
    /// would know whether one that is broken off was made.
    package func run() async throws {
        var turns = 0
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            if samplesInbox, turns.isMultiple(of: Self.turnsPerSample) { await sample() }
            await beat(isReporting: turns.isMultiple(of: Self.turnsPerSample))
            await write()
            turns += 1
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
        }
        await write()
    }

    /// - Parameter isReporting: says in the log, too, that nothing is applied.
    private func beat(isReporting: Bool) async {
        do {
            try await backOffice.beat(isWorker: samplesInbox)
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("no heartbeat written", metadata: ["error": "\(error)"])
        }
        let stalledFor = samplesInbox ? backOffice.pulse.stalledFor() : nil
        onBeat(stalledFor)
        guard isReporting, let stalledFor, stalledFor >= Pulse.alarmAfter else { return }
        let minutes = stalledFor.components.seconds / 60
        backOffice.logger.error(
            "nothing has been applied while notifications wait",
            metadata: ["minutes": "\(minutes)"]
        )
    }

    private func write() async {
        do {
            _ = try await backOffice.writeHealth()
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("health not written; it is written later", metadata: ["error": "\(error)"])
        }
        do {
            _ = try await backOffice.writeSeenCustomers()
        } catch {
            guard !Task.isCancelled else { return }
            let trouble = ["error": "\(error)"] as Logger.Metadata
            backOffice.logger.warning("customers' last calls not written; they are seen again", metadata: trouble)
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
