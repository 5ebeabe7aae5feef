import Foundation
import HTTP
package import Hummingbird
import Operations
import Storage

/// The pages about what is done in the background.
package struct QueuesController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/queues`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (call, app) = (call.taking(), call.app.id)
        let (queues, failed) = try await database.read { reader in
            let queues = try await reader.screens.queues(of: app)
            var failed: [QueueName: ListPage<QueueRow>] = [:]
            for queue in queues where queue.count(in: .discarded) > 0 {
                failed[queue.name] = try await reader.screens.queue(queue.name, in: .discarded, at: .first, app: app)
            }
            return (queues, failed)
        }
        return .page(QueueIndexPage(queues: queues, failed: failed, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/queues/{queue}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let (queue, app) = (try named(call), call.app.id)
        let (view, call) = try call.readingQuery { query throws(InvalidCursor) in try QueueView(queue, &query) }
        let (queues, list) = try await database.read { reader in
            let queues = try await reader.screens.queues(of: app)
            let list = try await reader.screens.queue(queue, in: view.state, at: view.position, app: app)
            return (queues, list)
        }
        if list.startsOver { return call.startOver(at: view.firstPage.path) }
        return .page(QueueShowPage(list: list, queues: queues, view: view, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/queues/{queue}/retries/new`: asks before dead letters are tried again.
    @Sendable package func newRetry(_ call: StaffRequest) async throws -> Response {
        let call = call.taking("id", "from")
        let letters = try await letters(call, id: try call.query.single("id"))
        // The queue's page says where everything stands.
        guard letters.page.canBeTried else {
            return .seeOther(call.from ?? QueueView(letters.queue).path)
        }
        let key = database.newUUID().uuidString.lowercased()
        return .page(
            ActionPage(retrying: letters, key: key, from: call.from, viewer: call.viewer, now: database.now)
        )
    }

    /// `POST /dashboard/queues/{queue}/retries`
    @Sendable package func retry(_ call: StaffRequest) async throws -> Response {
        let letters = try await letters(call, id: try call.form.single("id"))
        do {
            let reason = try call.reason()
            let outcome = try await backOffice.retryDeadLetters(
                letters.id,
                in: letters.queue,
                of: call.app.id,
                reason: reason,
                key: try call.key(for: letters.id?.uuidString ?? "", reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: call.from ?? DashboardPath.queues)
        } catch let error as OperationsError where error.code == .invalid || error.code == .conflict {
            let page = ActionPage(
                retrying: letters,
                key: database.newUUID().uuidString.lowercased(),
                typed: call.form.typed,
                error: error,
                from: call.from,
                viewer: call.viewer,
                now: database.now
            )
            return .page(page, status: error.code == .conflict ? .conflict : .unprocessableContent)
        }
    }

    /// - Parameter id: as it was sent; nil for all of the queue.
    private func letters(_ call: StaffRequest, id text: String?) async throws -> DeadLetters {
        let (queue, app) = (try named(call), call.app.id)
        guard let text else {
            let page = try await database.read { reader in
                try await reader.screens.queue(queue, in: .discarded, at: .first, app: app)
            }
            return DeadLetters(queue: queue, id: nil, page: page)
        }
        guard let id = UUID(uuidString: text) else {
            throw OperationsError(.invalid, "This is no UUID.", field: "id")
        }
        let one = try await database.read { try await $0.screens.deadLetter(id, in: queue, app: app) }
        return DeadLetters(queue: queue, id: id, page: ListPage(rows: one.map { [$0] } ?? []))
    }

    private func named(_ call: StaffRequest) throws -> QueueName {
        guard let queue = QueueName(rawValue: try call.parameter("queue")) else {
            throw WebError(.notFound, "There is no such queue.")
        }
        return queue
    }
}
