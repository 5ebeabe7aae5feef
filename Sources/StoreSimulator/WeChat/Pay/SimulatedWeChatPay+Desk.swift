import Foundation
import Gateways
import Synchronization

/// The endpoints that drive the simulator from another process: `/simulator/wechat/…`, on loopback, without a signature.
extension SimulatedWeChatPay {
    var desk: [SimulatedEndpoint] {
        [
            // {"out_trade_no", "openid"}
            endpoint("pay") { pay, body in
                let number = body["out_trade_no"]?.string ?? ""
                let openID = body["openid"]?.string ?? "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"
                return ["transaction_id": .string(try pay.pay(number, openID: openID))]
            },
            // On WeChat Pay's own pages: {"out_trade_no", "out_refund_no", "refund"}
            endpoint("refund") { pay, body in
                try pay.refundByHand(
                    body["refund"]?.integer ?? 0,
                    of: body["out_trade_no"]?.string ?? "",
                    as: body["out_refund_no"]?.string ?? ""
                )
                return [:]
            },
            // {"out_refund_no", "status": "SUCCESS" | "CLOSED" | "ABNORMAL" | "PROCESSING"}
            endpoint("settle") { pay, body in
                let status = body["status"]?.string ?? ""
                guard ["SUCCESS", "CLOSED", "ABNORMAL", "PROCESSING"].contains(status) else {
                    throw SimulatedWeChatRefusal.parameter("status")
                }
                let number = body["out_refund_no"]?.string ?? ""
                guard pay.refund(number) != nil else { throw SimulatedWeChatRefusal.parameter("out_refund_no") }
                pay.settle(number, as: status)
                return [:]
            },
            // From now on refunds end so: {"status", "seconds"}
            endpoint("refunds") { pay, body in
                let seconds = body["seconds"]?.integer.map { TimeInterval(min(max(0, $0), 31_536_000)) }
                pay.setRefunds(endingAs: body["status"]?.string ?? "SUCCESS", after: seconds)
                return [:]
            },
            endpoint("rotate") { pay, _ in
                try pay.rotate()
                return ["serial_no": .string(pay.certificates.last?.serial ?? "")]
            },
            SimulatedEndpoint("GET", "/simulator/wechat/notifications") { [self] _ in
                .json(.array(messages.map(\.json)))
            },
            SimulatedEndpoint("GET", "/simulator/wechat/orders") { [self] _ in
                let orders = state.withLock { $0.books.orders.values.sorted { $0.number < $1.number } }
                return .json(.array(orders.map(\.json)))
            },
        ]
    }

    private func endpoint(
        _ name: String,
        _ act: @escaping @Sendable (SimulatedWeChatPay, JSON) throws -> JSON
    ) -> SimulatedEndpoint {
        SimulatedEndpoint("POST", "/simulator/wechat/\(name)") { [self] request in
            do {
                let answer = try act(self, (try? JSON(parsing: Array(request.body))) ?? .object([]))
                await deliverDue()
                return .json(answer)
            } catch let refusal as SimulatedWeChatRefusal {
                return .json(refusal.json, status: 400)
            } catch {
                return StoreResponse(status: 500)
            }
        }
    }
}

extension SimulatedWeChatMessage {
    fileprivate var json: JSON {
        [
            "id": .string(id), "event_type": .string(type),
            "attempts": .array(
                attempts.map { attempt in
                    [
                        "date": .string(SimulatedWeChatTime.text(attempt.date)),
                        "status": attempt.status.map { .integer(Int64($0)) } ?? .null,
                    ]
                }
            ),
        ]
    }
}

extension SimulatedWeChatOrder {
    fileprivate var json: JSON {
        [
            "out_trade_no": .string(number), "trade_state": .string(state), "trade_type": .string(kind),
            "total": .integer(total), "transaction_id": transactionID.map { .string($0) } ?? .null,
        ]
    }
}
