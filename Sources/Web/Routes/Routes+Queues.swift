import API
import APITypes
import Desk
import Foundation
import HTTP
import HTTPTypes
import Operations
import Storage

extension RouteBuilder {
    /// Adds the pages of background work: the jobs that wait, and those that failed.
    func addQueues(_ queues: QueuesController) {
        let one = DashboardPath.queues + "/{queue}"
        staff(.get, DashboardPath.queues, needs: .viewNotifications, use: queues.index)
        staff(.get, one, needs: .viewNotifications, use: queues.show)
        staff(.get, one + "/retries/new", needs: .replayNotifications, use: queues.newRetry)
        staff(.post, one + "/retries", needs: .replayNotifications, use: queues.retry)
    }

    /// The same for programs.
    func addAdminQueues(_ queues: AdminQueuesController) {
        token(.get, Paths.queues, needs: .viewNotifications, AdminQueuesController.list, use: queues.index)
        token(
            .get,
            Paths.jobs(inQueue: "{queue}"),
            needs: .viewNotifications,
            AdminQueuesController.jobList,
            use: queues.jobs
        )
        token(
            .post,
            Paths.retries(inQueue: "{queue}"),
            needs: .replayNotifications,
            AdminQueuesController.retries,
            use: queues.retry
        )
    }
}
