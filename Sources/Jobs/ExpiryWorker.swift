import Logging
package import Operations
import ServiceLifecycle

/// Runs the expiry sweep every minute: trials, subscriptions, grace periods, grants.
///
/// Access ends on time without it; the sweep records the end for metrics and listeners.
package struct ExpiryWorker: Service {
    private static let interval = Duration.seconds(60)

    private let backOffice: BackOffice

    package init(backOffice: BackOffice) {
        self.backOffice = backOffice
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await self.sweep()
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func sweep() async {
        do {
            let sweep = try await backOffice.sweepExpiries()
            if sweep.failed > 0 {
                backOffice.logger.warning("expiries not swept", metadata: ["subscriptions": "\(sweep.failed)"])
            }
            guard sweep.subscriptions + sweep.grants > 0 else { return }
            backOffice.logger.info(
                "expiries swept",
                metadata: ["subscriptions": "\(sweep.subscriptions)", "grants": "\(sweep.grants)"]
            )
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("expiries not swept", metadata: ["error": "\(error)"])
        }
    }
}
