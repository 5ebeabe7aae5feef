import Billing
import Foundation
import Gateways
import Synchronization

/// What drives the simulator from another process: `/simulator/…`, on loopback, without a token.
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
            guard let fault = SimulatedFault(body) else { return Self.misunderstood("kind") }
            fail(fault)
            return .json([:])
        case ("DELETE", "/simulator/faults"):
            mend()
            return .json([:])
        case ("PUT", "/simulator/released"):
            guard let isReleased = body["released"]?.bool else { return Self.misunderstood("released") }
            setReleased(isReleased)
            return .json([:])
        case ("GET", "/simulator/sendings"): return sendingsAnswer
        case ("GET", "/simulator/transactions"): return transactionsAnswer
        case ("GET", "/simulator/consumptions"):
            let received = consumptions() + consumptions(in: .sandbox)
            return .json(.array(received.map { ["transactionId": .string($0.transactionID), "body": $0.body] }))
        default: return StoreResponse(status: 404)
        }
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

extension SimulatedFault {
    /// `{"kind": …, "path": …, "times": …}` with what the kind needs: `milliseconds`, `status`, `code`.
    fileprivate init?(_ body: JSON) {
        // A day at most.
        let duration = body["milliseconds"]?.integer.map { Duration.milliseconds(min(max(0, $0), 86_400_000)) }
        let kind: Kind? =
            switch body["kind"]?.string {
            case "tooManyRequests": .tooManyRequests(retryAfter: duration)
            case "status": body["status"]?.integer.flatMap { (400..<600).contains($0) ? .status(Int($0)) : nil }
            case "error":
                body["code"]?.integer.flatMap { (4_000_000..<6_000_000).contains($0) ? .error(code: $0) : nil }
            case "silence": .silence
            case "silenceAfterEffect": .silenceAfterEffect
            case "hangUpAfterEffect": .hangUpAfterEffect
            case "cutAfterEffect": .cutAfterEffect
            case "late": .late(duration ?? .seconds(1))
            case "malformed": .malformed
            default: nil
            }
        guard let kind else { return nil }
        self.init(kind, onPath: body["path"]?.string, times: Int(clamping: body["times"]?.integer ?? 1))
    }
}
