import APITypes
import Hummingbird
import Operations
import Storage

/// Queues as JSON, for programs.
struct AdminQueuesController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /admin/queues`
    @Sendable func index(_ call: APIRequest) async throws -> Response {
        let queues = try await database.read { try await $0.screens.queues(of: call.app) }
        let list = QueueList(queues: queues.map { QueueSummary($0) })
        return .json { list.write(to: &$0) }
    }

    /// `GET /admin/queues/{queue}/jobs`
    @Sendable func jobs(_ call: APIRequest) async throws -> Response {
        let queue = try named(call)
        let question = try ListParameters(call.query, takes: ["state", "after"])
        let state = try question.value("state", QueueState.init(rawValue:)) ?? .discarded
        let position = try question.position(of: .queueRows)
        let list = try await database.read { reader in
            try await reader.screens.queue(queue, in: state, at: position, app: call.app)
        }
        let last = list.hasNext ? list.rows.last : nil
        let page = QueueJobPage(
            jobs: list.rows.map { QueueJob($0) },
            next: last.map { PageCursor(kind: .queueRows, date: $0.arrivedAt, id: $0.id, rowsBefore: 0).text }
        )
        return .json { page.write(to: &$0) }
    }

    /// `POST /admin/queues/{queue}/retries`
    @Sendable func retry(_ call: APIRequest) async throws -> Response {
        let queue = try named(call)
        let sent = try await call.body(RetryRequest.self)
        let outcome = try await backOffice.retryDeadLetters(
            sent.value.id,
            in: queue,
            of: call.app,
            reason: try Reason(category: sent.value.category, text: sent.value.reason),
            key: try call.key(for: sent.text),
            caller: call.caller
        )
        let result = RetryResult(queue: queue.rawValue, count: Int(outcome.result) ?? 0)
        return .json { result.write(to: &$0) }
    }

    private func named(_ call: APIRequest) throws -> QueueName {
        guard let queue = QueueName(rawValue: try call.parameter("queue")) else {
            throw WebError(.notFound, "There is no such queue.")
        }
        return queue
    }
}
