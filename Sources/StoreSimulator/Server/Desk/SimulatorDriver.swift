import Foundation
import Gateways

/// Drives a simulated store in another process.
package struct SimulatorDriver: Sendable {
    private let base: String

    /// - Parameter base: its address, such as `http://127.0.0.1:9091`.
    package init(_ base: String) {
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// A member of what it is told; what is nil is left out.
    package enum Value: Sendable {
        case text(String?)
        case whole(Int?)
        case flag(Bool?)
        case list([String])
    }

    /// Tells it something.
    ///
    /// - Parameters:
    ///   - path: below `/simulator/`.
    ///   - members: by name.
    /// - Returns: the answer, as JSON.
    /// - Throws: `.refused` with the simulator's words, which name the member; `.unreachable`.
    @discardableResult
    package func tell(
        _ method: String,
        _ path: String,
        _ members: [String: Value] = [:]
    ) async throws(SimulatorError) -> String {
        let body = JSON.object(
            members.sorted { $0.key < $1.key }.compactMap { name, value in
                value.json.map { JSON.Member(name: name, value: $0) }
            }
        )
        let request = StoreRequest(
            method,
            "\(base)/simulator/\(path)",
            headers: ["content-type": "application/json"],
            body: method == "GET" ? nil : Data(body.bytes)
        )
        let response: StoreResponse
        do {
            response = try await HTTPStoreTransport().send(request)
        } catch {
            throw SimulatorError(.unreachable, "No simulated store answers at \(base).", underlying: error)
        }
        let text = String(decoding: response.body, as: UTF8.self)
        guard response.status == 200 else {
            let answer = try? JSON(parsing: Array(response.body))
            let words = answer?["message"]?.string ?? "It answered \(response.status) to \(method) \(path)."
            throw SimulatorError(.refused, answer?["code"]?.string.map { "\($0): \(words)" } ?? words)
        }
        return text
    }
}

extension SimulatorDriver.Value {
    fileprivate var json: JSON? {
        switch self {
        case .text(let text): text.map { .string($0) }
        case .whole(let number): number.map { .integer(Int64($0)) }
        case .flag(let flag): flag.map { .bool($0) }
        case .list(let texts): .array(texts.map { .string($0) })
        }
    }
}
