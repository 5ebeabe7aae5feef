import Logging
import Operations
import ServiceLifecycle

/// Hears what is changed about staff, so that this server may remember who is signed in.
struct StaffWatch: Service {
    private static let pause = Duration.seconds(1)

    let backOffice: BackOffice

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await backOffice.rememberStaff()
                } catch {
                    try Task.checkCancellation()
                    backOffice.logger.warning("changes of staff not heard", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }
}
