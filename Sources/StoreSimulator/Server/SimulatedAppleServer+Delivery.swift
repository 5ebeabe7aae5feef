import Billing
import Foundation
import Gateways
import Synchronization

extension SimulatedAppleServer {
    /// Sends what is due, one after the other: new notifications, and those whose next attempt has come. Called after the clock
    /// was driven; what its own answers cause is sent without.
    package func deliverDue() async {
        while let due = takeDue() {
            let result = await post(due.message, to: due.webhook)
            let now = clock.now
            state.withLock { $0[due.environment].record(result, of: due.position, at: now) }
        }
    }

    /// Looks every second for attempts whose time has come, until the task is cancelled.
    package func deliverForever() async {
        while !Task.isCancelled {
            await deliverDue()
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func takeDue() -> Due? {
        let now = clock.now
        return state.withLock { state in
            guard let webhook = state.webhook else { return nil }
            for environment in StoreEnvironment.allCases {
                guard let position = state[environment].takeDue(at: now) else { continue }
                let message = state[environment].sendings[position].message
                return Due(environment: environment, position: position, message: message, webhook: webhook)
            }
            return nil
        }
    }

    private struct Due {
        let environment: StoreEnvironment
        let position: Int
        let message: SimulatedMessage
        let webhook: String
    }

    private func post(_ message: SimulatedMessage, to webhook: String) async -> AppleSentNotification.Result {
        guard let signed = try? signer.sign(message) else { return .other }
        let request = StoreRequest(
            "POST",
            webhook,
            headers: ["Content-Type": "application/json", "User-Agent": "App Store Simulator"],
            body: Data((["signedPayload": .string(signed)] as JSON).bytes)
        )
        do {
            let response = try await transport.send(request)
            return (200...206).contains(response.status) ? .success : .unsuccessfulResponseCode
        } catch {
            return error.isLate ? .timedOut : .socketIssue
        }
    }
}
