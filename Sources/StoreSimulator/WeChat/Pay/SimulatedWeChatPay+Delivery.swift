import Foundation
package import Gateways
import Synchronization

extension SimulatedWeChatPay {
    /// Sends what is due, one after the other. Called after the clock was driven.
    package func deliverDue() async {
        while let due = takeDue() {
            let status = await post(due)
            let now = clock.now
            state.withLock { $0.books.messages[due.position].record(status, at: now) }
        }
    }

    /// Looks every second for attempts whose time has come, until the task is cancelled.
    package func deliverForever() async {
        while !Task.isCancelled {
            await deliverDue()
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// The next attempt at a notification as it would be sent: for whoever carries it elsewhere.
    package func delivery(of position: Int, _ mood: SimulatedWeChatMood? = nil) throws -> StoreDelivery {
        let (message, signer) = state.withLock { ($0.books.messages[position], $0.nextSigner(besides: publicKey)) }
        let body = try message.body(mood, apiV3Key: merchant.apiV3Key)
        return StoreDelivery(
            String(decoding: Self.sent(body, mood), as: UTF8.self),
            headers: signature(of: body, by: signer, mood, at: requestTime())
        )
    }

    private struct Due {
        let position: Int
        let message: SimulatedWeChatMessage
        let mood: SimulatedWeChatMood?
        let signer: SimulatedWeChatSigner
    }

    private func takeDue() -> Due? {
        let now = clock.now
        return state.withLock { state in
            state.books.settleDue(for: merchant, at: now)
            while let position = state.books.messages.firstIndex(where: { $0.dueAt.map { $0 <= now } ?? false }) {
                let mood = state.messageMoods.isEmpty ? nil : state.messageMoods.removeFirst()
                if case .delayed(let seconds)? = mood {
                    state.books.messages[position].dueAt = now.addingTimeInterval(max(1, seconds))
                    continue
                }
                let message = state.books.messages[position]
                state.books.messages[position].dueAt = nil
                return Due(
                    position: position,
                    message: message,
                    mood: mood,
                    signer: state.nextSigner(besides: publicKey)
                )
            }
            return nil
        }
    }

    /// - Returns: nil where nobody answered.
    private func post(_ due: Due) async -> Int? {
        guard due.mood != .dropped else { return nil }
        guard let body = try? due.message.body(due.mood, apiV3Key: merchant.apiV3Key) else { return nil }
        var headers = signature(of: body, by: due.signer, due.mood, at: requestTime())
        headers["content-type"] = "application/json"
        headers["user-agent"] = "Mozilla/4.0"
        let request = StoreRequest(
            "POST",
            due.message.url,
            headers: headers,
            body: Self.sent(body, due.mood),
            timeout: .seconds(5)
        )
        if due.mood == .twice { _ = try? await transport.send(request) }
        return try? await transport.send(request).status
    }
}

extension SimulatedWeChatPay.State {
    /// Those that sign take turns.
    mutating func nextSigner(besides publicKey: SimulatedWeChatSigner) -> SimulatedWeChatSigner {
        let signers = (mode.hasCertificates ? certificates : []) + (mode.hasPublicKey ? [publicKey] : [])
        sent += 1
        return signers[sent % signers.count]
    }
}
