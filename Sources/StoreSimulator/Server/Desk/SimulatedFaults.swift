import Foundation
import Gateways
import Synchronization

/// The faults that the next requests to a simulated store meet, and the endpoints that order them.
final class SimulatedFaults: Sendable {
    private let waiting = Mutex<[SimulatedFault]>([])

    /// A request with the fault that is due, if one is.
    func reply(
        to request: SimulatedRequest,
        at now: Date,
        _ answer: () async -> SimulatedReply
    ) async -> SimulatedReply {
        guard let fault = take(on: request.path) else { return await answer() }
        if let reply = fault.replyBeforeEffect(at: now) { return reply }
        let reply = await answer()
        if case .late(let duration) = fault {
            try? await Task.sleep(for: duration)
            return reply
        }
        guard case .response(let response) = reply else { return reply }
        return fault.replyAfterEffect(response) ?? reply
    }

    private func take(on path: String) -> SimulatedFault.Kind? {
        guard !path.hasPrefix("/simulator/") else { return nil }
        return waiting.withLock { faults in
            guard let index = faults.firstIndex(where: { $0.path.map(path.contains) ?? true }) else { return nil }
            let kind = faults[index].kind
            if faults[index].times > 1 { faults[index].times -= 1 } else { faults.remove(at: index) }
            return kind
        }
    }

    var desk: [SimulatedEndpoint] {
        [
            .desk("POST", "faults", ["kind", "path", "times", "status", "bytes", "milliseconds"]) { [self] fields in
                let kind = try fields.choice("kind", of: Self.kinds)
                let status = try fields.optionalWhole("status", in: 100...599)
                guard status != nil || !["status", "page"].contains(kind) else {
                    throw DeskRefusal("status", "is needed")
                }
                guard kind != "status" || (400...599).contains(status ?? 0) else {
                    throw DeskRefusal("status", "is a whole number from 400 to 599")
                }
                var order: JSON = ["kind": .string(kind)]
                if let status { order["status"] = .integer(status) }
                if let bytes = try fields.optionalWhole("bytes", in: 0...1_000_000) { order["bytes"] = .integer(bytes) }
                if let time = try fields.optionalWhole("milliseconds", in: 0...86_400_000) {
                    order["milliseconds"] = .integer(time)
                }
                guard let fault = SimulatedFault.Kind(order) else { throw DeskRefusal("kind", "is not known") }
                let ordered = SimulatedFault(
                    fault,
                    onPath: try fields.optionalText("path"),
                    times: try fields.times
                )
                waiting.withLock { $0.append(ordered) }
                return [:]
            },
            .desk("DELETE", "faults") { [self] _ in
                waiting.withLock { $0 = [] }
                return [:]
            },
        ]
    }

    /// Those that are not of Apple's alone.
    private static let kinds = [
        "status", "silence", "silenceAfterEffect", "hangUpAfterEffect", "cutAfterEffect", "late", "malformed", "cut",
        "html", "empty", "null", "wrongTypes", "page", "twice",
    ]
}
