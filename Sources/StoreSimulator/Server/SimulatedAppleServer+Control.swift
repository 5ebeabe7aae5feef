import Billing
import Foundation
import Gateways
import Synchronization

/// The calls that drive the simulator from another process: `/simulator/…`, on loopback, without a token.
extension SimulatedAppleServer {
    func control(_ request: SimulatedRequest) async -> StoreResponse {
        let body = (try? JSON(parsing: Array(request.body))) ?? .object([])
        switch (request.method, request.path) {
        case ("POST", "/simulator/clock"):
            guard let seconds = body["advanceSeconds"]?.integer else { return Self.misunderstood("advanceSeconds") }
            clock.advance(by: Double(seconds))
            await deliverDue()
            return .json(["now": clock.now.milliseconds])
        case ("POST", "/simulator/faults"):
            guard let kind = SimulatedFault.Kind(body) else { return Self.misunderstood("kind") }
            guard let times = body["times"] == nil ? 1 : body["times"]?.integer, (1...1_000_000).contains(times) else {
                return Self.misunderstood("times")
            }
            fail(SimulatedFault(kind, onPath: body["path"]?.string, times: Int(times)))
            return .json([:])
        case ("DELETE", "/simulator/faults"):
            mend()
            return .json([:])
        case ("PUT", "/simulator/released"):
            guard let isReleased = body["released"]?.bool else { return Self.misunderstood("released") }
            setReleased(isReleased)
            return .json([:])
        case ("POST", "/simulator/purchases"):
            do {
                let purchase = try SimulatedPurchase(body)
                return try await sell(in: body) { $0.buy(purchase, $1) }
            } catch let error as SimulatedPurchase.Misunderstood {
                return Self.misunderstood(error.name)
            } catch {
                return StoreResponse(status: 500)
            }
        case ("POST", "/simulator/renewals"):
            guard let original = body["originalTransactionId"]?.string,
                let answer = try? await sell(in: body, { try $0.renew(original, $1) })
            else { return Self.misunderstood("originalTransactionId") }
            return answer
        case ("GET", "/simulator/sendings"): return sendingsAnswer
        case ("GET", "/simulator/transactions"): return transactionsAnswer
        case ("GET", "/simulator/consumptions"):
            let received = consumptions() + consumptions(in: .sandbox)
            return .json(.array(received.map { ["transactionId": .string($0.transactionID), "body": $0.body] }))
        default: return StoreResponse(status: 404)
        }
    }

    /// - Returns: the transaction's id, and the transaction as a device gets it.
    private func sell(
        in body: JSON,
        _ trade: @Sendable (inout SimulatedBooks, SimulatedBooks.Answering) throws -> JSON
    ) async throws -> StoreResponse {
        let environment: StoreEnvironment = body["environment"]?.string == "sandbox" ? .sandbox : .production
        let transaction = try state.withLock { state in
            let answering = SimulatedBooks.Answering(now: clock.now, signer: signer, canNotify: state.webhook != nil)
            return try trade(&state[environment], answering)
        }
        await deliverDue()
        return .json([
            "transactionId": transaction["transactionId"] ?? .null,
            "signedTransaction": .string(try signer.sign(transaction)),
        ])
    }

    private var sendingsAnswer: StoreResponse {
        let all = sendings() + sendings(in: .sandbox)
        return .json(
            .array(
                all.map { sending in
                    [
                        "notificationUUID": sending.message.notification["notificationUUID"] ?? .null,
                        "notificationType": .string(sending.message.type),
                        "sendAttempts": .array(sending.attempts.map(\.json)),
                    ]
                }
            )
        )
    }

    private var transactionsAnswer: StoreResponse {
        let all = state.withLock { state in
            [state.production, state.sandbox].flatMap { books in books.transactions.values.map(\.payload) }
        }
        return .json(.array(all.sorted { ($0["transactionId"]?.string ?? "") < ($1["transactionId"]?.string ?? "") }))
    }

    private static func misunderstood(_ name: String) -> StoreResponse {
        .json(["error": .string("\(name) is missing or not known.")], status: 400)
    }
}

extension SimulatedFault.Kind {
    /// `kind` with what it needs: `milliseconds`, a day at most, `status`, `code` or `bytes`.
    init?(_ body: JSON) {
        let duration = body["milliseconds"]?.integer.map { Duration.milliseconds(min(max(0, $0), 86_400_000)) }
        switch (body["kind"]?.string, body["status"]?.integer, body["code"]?.integer) {
        case ("tooManyRequests", _, _): self = .tooManyRequests(retryAfter: duration)
        case ("status", let status?, _) where (400..<600).contains(status): self = .status(Int(status))
        case ("error", _, let code?) where (4_000_000..<6_000_000).contains(code): self = .error(code: code)
        case ("silence", _, _): self = .silence
        case ("silenceAfterEffect", _, _): self = .silenceAfterEffect
        case ("hangUpAfterEffect", _, _): self = .hangUpAfterEffect
        case ("cutAfterEffect", _, _): self = .cutAfterEffect
        case ("late", _, _): self = .late(duration ?? .seconds(1))
        case ("malformed", _, _): self = .malformed
        default:
            guard let answer = FieldAnswer(body) else { return nil }
            self = .field(answer)
        }
    }
}
