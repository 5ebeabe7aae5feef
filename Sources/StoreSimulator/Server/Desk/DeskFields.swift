import Billing
import Foundation
import Gateways

/// The members that somebody wrote who drives a simulator: each that is wrong is refused by its name, and so is one that is not known.
struct DeskFields: Sendable {
    private let body: JSON

    init(_ body: Data, knowing names: Set<String>) throws(DeskRefusal) {
        guard !body.isEmpty else {
            self.body = .object([])
            return
        }
        guard let json = try? JSON(parsing: Array(body)), case .object(let members) = json else {
            throw DeskRefusal("body", "is a JSON object")
        }
        for (index, member) in members.enumerated() {
            guard names.contains(member.name) else {
                throw DeskRefusal(member.name, "is not known; known are \(names.sorted().joined(separator: ", "))")
            }
            guard !members.prefix(index).contains(where: { $0.name == member.name }) else {
                throw DeskRefusal(member.name, "comes twice")
            }
        }
        self.body = json
    }

    /// True if it is there, and not null.
    func has(_ name: String) -> Bool { body[name].map { $0 != .null } ?? false }

    func text(_ name: String) throws(DeskRefusal) -> String {
        guard let text = try optionalText(name) else { throw DeskRefusal(name, "is needed") }
        return text
    }

    func optionalText(_ name: String) throws(DeskRefusal) -> String? {
        guard has(name) else { return nil }
        guard let text = body[name]?.string, (1...512).contains(text.count) else {
            throw DeskRefusal(name, "is a text of 1 to 512 characters")
        }
        return text
    }

    /// A text that is one of those.
    func choice(_ name: String, of choices: [String]) throws(DeskRefusal) -> String {
        let text = try text(name)
        guard choices.contains(text) else {
            throw DeskRefusal(name, "is one of \(choices.joined(separator: ", "))")
        }
        return text
    }

    func whole(_ name: String, in bounds: ClosedRange<Int64>) throws(DeskRefusal) -> Int64 {
        guard let number = try optionalWhole(name, in: bounds) else { throw DeskRefusal(name, "is needed") }
        return number
    }

    func optionalWhole(_ name: String, in bounds: ClosedRange<Int64>) throws(DeskRefusal) -> Int64? {
        guard has(name) else { return nil }
        guard let number = body[name]?.integer, bounds.contains(number) else {
            throw DeskRefusal(name, "is a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }

    /// The number of times that something happens; once where it is not said.
    var times: Int {
        get throws(DeskRefusal) { Int(clamping: try optionalWhole("times", in: 1...1_000) ?? 1) }
    }

    /// - Returns: false where it is not there.
    func flag(_ name: String) throws(DeskRefusal) -> Bool { try optionalFlag(name) ?? false }

    func optionalFlag(_ name: String) throws(DeskRefusal) -> Bool? {
        guard has(name) else { return nil }
        guard let flag = body[name]?.bool else { throw DeskRefusal(name, "is true or false") }
        return flag
    }

    /// - Returns: none where it is not there.
    func list(_ name: String) throws(DeskRefusal) -> [String] {
        guard has(name) else { return [] }
        guard case .array(let entries)? = body[name] else { throw DeskRefusal(name, "is a list of texts") }
        let texts = entries.compactMap(\.string)
        guard texts.count == entries.count else { throw DeskRefusal(name, "is a list of texts") }
        return texts
    }

    /// Amounts in fen by order numbers, each written `NUMBER=FEN`.
    func amounts(_ name: String) throws(DeskRefusal) -> [(number: String, fen: Int64)] {
        var amounts: [(number: String, fen: Int64)] = []
        for entry in try list(name) {
            let parts = entry.split(separator: "=").map(String.init)
            guard parts.count == 2, let fen = Int64(parts[1]), (1...Self.mostFen).contains(fen) else {
                throw DeskRefusal(name, "is a list of NUMBER=FEN")
            }
            amounts.append((parts[0], fen))
        }
        return amounts
    }

    /// An amount as a decimal number in the currency that `currency` names.
    func money(_ name: String) throws(DeskRefusal) -> Money {
        let text = try text(name)
        guard let currency = Currency(try optionalText("currency") ?? "EUR") else {
            throw DeskRefusal("currency", "is a code of ISO 4217")
        }
        guard let money = try? Money(decimalText: text, currency: currency),
            (0...Self.mostFen).contains(money.minorUnits)
        else { throw DeskRefusal(name, "is an amount such as 9.99") }
        return money
    }

    /// A million of the currency's main unit.
    static let mostFen: Int64 = 100_000_000
}

/// A refusal of what somebody wrote who drives a simulator.
struct DeskRefusal: Error, Hashable {
    let field: String
    let reason: String

    init(_ field: String, _ reason: String) {
        (self.field, self.reason) = (field, reason)
    }

    var json: JSON { ["field": .string(field), "message": .string("\(field) \(reason).")] }
}

extension SimulatedEndpoint {
    /// One that drives a simulator from another process: `/simulator/…`, on loopback, without a signature.
    ///
    /// - Parameter names: the members that it knows.
    static func desk(
        _ method: String,
        _ path: String,
        _ names: Set<String> = [],
        act: @escaping @Sendable (DeskFields) async throws -> JSON
    ) -> SimulatedEndpoint {
        SimulatedEndpoint(method, "/simulator/\(path)") { request in
            do {
                return .json(try await act(try DeskFields(request.body, knowing: names)))
            } catch let refusal as DeskRefusal {
                return .json(refusal.json, status: 400)
            } catch let refusal as SimulatedWeChatRefusal {
                return .json(refusal.json, status: 400)
            } catch {
                return StoreResponse(status: 500)
            }
        }
    }
}
