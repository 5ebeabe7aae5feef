import Foundation
import Logging
package import Operations
import ServiceLifecycle
import Storage

/// Writes regular reports when they are due; those that were missed while no worker ran are made up, the oldest first.
package struct ReportWorker: Service {
    private static let interval = Duration.seconds(20)

    private let backOffice: BackOffice
    private let id: UUID

    package init(backOffice: BackOffice) {
        self.backOffice = backOffice
        id = backOffice.database.newUUID()
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await self.writeWhatIsDue()
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Works until no report is due, and says how many were taken up.
    package func drain() async throws -> Int {
        var reports = 0
        while try await backOffice.writeDueReport(by: id) { reports += 1 }
        return reports
    }

    private func writeWhatIsDue() async {
        do {
            _ = try await drain()
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("reports not looked at", metadata: ["error": "\(error)"])
        }
    }
}
