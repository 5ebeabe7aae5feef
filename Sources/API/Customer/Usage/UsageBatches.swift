import APITypes
import Billing
import Foundation
import HTTP
import Hummingbird
import Logging
import Operations
import Storage
import Words

/// Counts the items of a batch one by one: an item that is refused undoes none of the others.
struct UsageBatches: Sendable {
    let calls: UsageCalls
    /// The path of the call.
    let path: String
    let context: WebRequestContext
    let strings: Strings

    static let most = 100

    /// - Throws: `OperationsError` with `.invalid` and the field `items`; errors that no item caused, such as a database that is
    ///   away: then the batch is sent again, and items that were counted are answered from their keys.
    func count<Item>(
        _ items: [SentItem<Item>]?,
        key: (Item) -> String?,
        _ count: (Item) async throws -> UsageCount
    ) async throws -> Response {
        guard let items, !items.isEmpty else { throw OperationsError(problems: [FieldProblem("items", .missing)]) }
        guard items.count <= Self.most else {
            throw OperationsError(problems: [FieldProblem("items", .tooMany(Self.most))])
        }
        var answers: [UsageBatchItem] = []
        for sent in items {
            guard case .item(let item) = sent else {
                answers.append(unreadable(sent))
                continue
            }
            do {
                answers.append(UsageBatchItem(status: 200, key: key(item), usage: try await count(item), problem: nil))
            } catch {
                answers.append(try refused(error, key(item)))
            }
        }
        return .json(UsageBatch(items: answers))
    }

    private func unreadable(_ sent: SentItem<some Resource>) -> UsageBatchItem {
        guard case .mistake(let field?) = sent else {
            return answer(WebError(.invalid, "The item is no object."), nil)
        }
        return answer(WebError(FieldProblem(field, .wrongType)), nil)
    }

    private func refused(_ error: any Error, _ key: String?) throws -> UsageBatchItem {
        let failure = ErrorTable.webError(for: error)
        switch failure.code {
        case .unavailable, .busy: throw error
        case .internalError, .misconfigured:
            context.logger.error("a request failed", metadata: ["error": "\(failure)"])
        case _: break
        }
        return answer(failure, key)
    }

    private func answer(_ failure: WebError, _ key: String?) -> UsageBatchItem {
        let problem = Problem(failure, at: path, requestID: context.requestID, in: strings)
        return UsageBatchItem(status: problem.status, key: key, usage: nil, problem: problem)
    }
}

extension UsageRequest {
    init(_ item: UsageItem) {
        self.init(quantity: item.quantity, occurredAt: item.occurredAt)
    }

    init(_ item: CustomerUsageItem) {
        self.init(quantity: item.quantity, occurredAt: item.occurredAt)
    }
}
