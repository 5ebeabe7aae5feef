import APITypes
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Answers queues as JSON, for programs.
package struct AdminQueuesController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    package static let list = APIOperation(
        "listQueues",
        .queues,
        "Every queue, and how many of its jobs stand where",
        answer: .ok(QueueList.self, "The queues.")
    )

    /// `GET /admin/queues`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
        let queues = try await database.read { try await $0.screens.queues(of: call.app) }
        let list = QueueList(queues: queues.map { QueueSummary($0) })
        return .json(list)
    }

    package static let jobList = APIOperation(
        "listQueueJobs",
        .queues,
        "Jobs of a queue, newest first",
        path: .queue,
        query: [state, PageParameter()],
        answer: .ok(QueueJobPage.self, "A page of 25 jobs.")
    )

    private static let state = QueryParameter("state", QueueState.self, "Where they stand.", preset: .discarded)

    /// `GET /admin/queues/{queue}/jobs`
    @Sendable package func jobs(_ call: APIRequest) async throws -> Response {
        let queue = try named(call)
        let question = ListParameters(call.query)
        let view = QueueView(
            queue,
            state: try question.value(Self.state) ?? .discarded,
            position: try question.position(of: .queueRows)
        )
        let list = try await database.read { reader in
            try await reader.screens.queue(queue, in: view.state, at: view.position, app: call.app)
        }
        let page = QueueJobPage(
            jobs: list.rows.map { QueueJob($0) },
            next: list.next(by: view)?.text
        )
        return .json(page)
    }

    package static let retries = APIOperation(
        "retryJobs",
        .queues,
        "Has jobs that failed tried again, at once",
        """
        Their attempts count on; a job whose attempts are used up gets one more. 409 when there is nothing that failed \
        and could be tried again.
        """,
        path: .queue,
        body: RetryRequest.body,
        answer: .ok(RetryResult.self, "How many jobs were made due.")
    )

    /// `POST /admin/queues/{queue}/retries`
    @Sendable package func retry(_ call: APIRequest) async throws -> Response {
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
        return .json(result)
    }

    private func named(_ call: APIRequest) throws -> QueueName {
        guard let queue = QueueName(rawValue: try call.parameter("queue")) else {
            throw WebError(.notFound, "There is no such queue.")
        }
        return queue
    }
}

extension APIParameter {
    fileprivate static let queue = APIParameter(
        "queue",
        in: .path,
        String.schema.following([.oneOf(QueueName.allCases.map(\.rawValue))]),
        "The queue's name."
    )
}
