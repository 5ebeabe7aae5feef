import Logging
package import Operations
import ServiceLifecycle

/// Adds up new ledger entries and counts of features, so that metrics are read from few cells.
///
/// The interval is a matter of speed alone: what waits is counted, too, whenever a metric is read.
package struct RollupWorker: Service {
    private static let interval = Duration.seconds(2)

    private let backOffice: BackOffice

    package init(backOffice: BackOffice) {
        self.backOffice = backOffice
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            // New entries are added up while an app is counted again.
            async let recounting: Void = self.repeating { await self.recount() }
            async let folding: Void = self.repeating { await self.fold() }
            async let valuing: Void = self.repeating { await self.value() }
            _ = try await (recounting, folding, valuing)
        }
    }

    private func repeating(_ work: () async -> Void) async throws {
        while true {
            await work()
            try await Task.sleep(for: Self.interval)
        }
    }

    /// After an upgrade, and when the catalogue changes what a trial's conversion is.
    private func recount() async {
        do {
            for check in try await backOffice.recountRollups() {
                backOffice.logger.notice(
                    "metrics counted again",
                    metadata: ["app": "\(check.app)", "rows": "\(check.rows)"]
                )
            }
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("metrics not counted again", metadata: ["error": "\(error)"])
        }
    }

    /// Converts the months and values the amounts that other rates, or another reporting currency, have left.
    private func value() async {
        do {
            while !Task.isCancelled, try await backOffice.convertMonths() {}
            while !Task.isCancelled, try await backOffice.valueAmounts() {}
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("amounts not valued", metadata: ["error": "\(error)"])
        }
    }

    private func fold() async {
        do {
            let entries = try await backOffice.foldRollups()
            let counts = try await backOffice.foldUsage()
            if entries + counts > 0 {
                let metadata: Logger.Metadata = ["entries": "\(entries)", "counts": "\(counts)"]
                backOffice.logger.debug("rollups added up", metadata: metadata)
            }
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("rollups not added up", metadata: ["error": "\(error)"])
        }
    }
}
