import Billing
import Foundation
package import Gateways
import Synchronization

/// A fault of one push on its way.
package enum SimulatedPushMood: String, Hashable, Sendable, CaseIterable {
    /// Never sent, but counted as sent.
    case dropped
    case twice
    /// Not sent before a minute has gone by.
    case delayed
    /// The token is for somebody else.
    case wrongAudience
    /// The token is another service account's.
    case otherAccount
    /// The token has expired.
    case expired
    /// Another key signed the token.
    case otherKey
}

/// Pushes by Pub/Sub's schedule: ten seconds after the first attempt, then twice as long each time, ten minutes at most.
extension SimulatedGoogle {
    /// Sends pushes there from now on; nil for nowhere.
    package func setWebhook(_ url: String?) { state.withLock { $0.webhook = url } }

    /// Spoils the next pushes, one each.
    package func spoil(_ moods: SimulatedPushMood...) { state.withLock { $0.pushMoods += moods } }

    /// Sends what is due, one after the other.
    package func deliverDue(over transport: any StoreTransport = HTTPStoreTransport()) async {
        while let due = takeDue() {
            let isTaken = await send(due.push, to: due.webhook, due.mood, over: transport)
            let now = clock.now
            state.withLock { state in
                state.pushes[due.index].attempts += 1
                state.pushes[due.index].isDelivered = isTaken
                let pause = min(600, 10 * pow(2, Double(min(10, due.push.attempts))))
                state.pushes[due.index].dueAt = now.addingTimeInterval(pause)
            }
        }
    }

    /// Looks every second for pushes whose time has come, until the task is cancelled.
    package func deliverForever() async {
        while !Task.isCancelled {
            await deliverDue()
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private struct Due {
        let index: Int
        let push: SimulatedPush
        let webhook: String
        let mood: SimulatedPushMood?
    }

    private func takeDue() -> Due? {
        let now = clock.now
        return state.withLock { state in
            guard let webhook = state.webhook else { return nil }
            while let index = state.pushes.firstIndex(where: { !$0.isDelivered && ($0.dueAt ?? .distantPast) <= now }) {
                let mood = state.pushMoods.isEmpty ? nil : state.pushMoods.removeFirst()
                if mood == .delayed {
                    state.pushes[index].dueAt = now.addingTimeInterval(60)
                    continue
                }
                return Due(index: index, push: state.pushes[index], webhook: webhook, mood: mood)
            }
            return nil
        }
    }

    /// - Returns: true if it was taken.
    private func send(
        _ push: SimulatedPush,
        to webhook: String,
        _ mood: SimulatedPushMood?,
        over transport: any StoreTransport
    ) async -> Bool {
        guard mood != .dropped, var delivery = try? delivery(of: push, claims: claims(mood)) else { return false }
        if mood == .otherKey, let token = delivery.headers["authorization"] {
            // A signature of the right length that no key made.
            let signed = token.split(separator: ".").prefix(2).joined(separator: ".")
            delivery.headers["authorization"] = "\(signed).\(String(repeating: "A", count: 342))"
        }
        let request = StoreRequest("POST", webhook, headers: delivery.headers, body: Data(delivery.payload.utf8))
        if mood == .twice { _ = try? await transport.send(request) }
        let status = try? await transport.send(request).status
        return [102, 200, 201, 202, 204].contains(status ?? 0)
    }

    private func claims(_ mood: SimulatedPushMood?) -> [String: JSON] {
        let now = Int64(bounding: clock.tokenTime.timeIntervalSince1970.rounded())
        return switch mood {
        case .wrongAudience?: ["aud": "https://example.org/elsewhere"]
        case .otherAccount?: ["email": "somebody@sim.iam.gserviceaccount.com"]
        case .expired?: ["iat": .integer(now - 7_200), "exp": .integer(now - 3_600)]
        case .dropped?, .twice?, .delayed?, .otherKey?, nil: [:]
        }
    }
}
