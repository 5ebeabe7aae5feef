import Logging
package import Operations
import ServiceLifecycle

/// Clears away, each hour, what has run out, asks the stores what they sent and for their bills, and reminds of what ends soon. Cleared are ended sessions, counted failures to
/// sign in, used keys, old service metrics and jobs, refund requests that nobody acted on, and usage that is held too long.
package struct Maintenance: Service {
    private static let interval = Duration.seconds(3_600)

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
        await expireRefunds()
        await scheduleReconciliations()
        await scheduleBills()
        await remindOfExpiries()
        do {
            let swept = try await backOffice.sweepSignIns()
            let forgotten = try await backOffice.forgetUsedKeys()
            try await backOffice.forgetUntrustedProxies()
            let hours = try await backOffice.forgetHealth()
            let jobs = try await backOffice.forgetJobs()
            _ = try await backOffice.forgetCustomerSessions()
            _ = try await backOffice.forgetFullBuckets()
            _ = try await backOffice.forgetUsedCredentials()
            _ = try await backOffice.expireUsageReservations()
            try await backOffice.forgetReconciliations()
            backOffice.logger.debug(
                "swept",
                metadata: ["sign-ins": "\(swept)", "keys": "\(forgotten)", "health": "\(hours)", "jobs": "\(jobs)"]
            )
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("not swept", metadata: ["error": "\(error)"])
        }
    }

    private func scheduleReconciliations() async {
        do {
            _ = try await backOffice.scheduleReconciliations()
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("stores not asked for what they sent", metadata: ["error": "\(error)"])
        }
    }

    private func scheduleBills() async {
        do {
            _ = try await backOffice.scheduleBills()
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("bills not asked for", metadata: ["error": "\(error)"])
        }
    }

    private func remindOfExpiries() async {
        do {
            let reminders = try await backOffice.remindOfExpiries()
            if reminders > 0 { backOffice.logger.info("reminded of ends", metadata: ["rows": "\(reminders)"]) }
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("not reminded of ends", metadata: ["error": "\(error)"])
        }
    }

    private func expireRefunds() async {
        do {
            let ended = try await backOffice.expireRefunds()
            if ended > 0 { backOffice.logger.info("stale refund requests ended", metadata: ["rows": "\(ended)"]) }
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("stale refund requests not ended", metadata: ["error": "\(error)"])
        }
    }
}
