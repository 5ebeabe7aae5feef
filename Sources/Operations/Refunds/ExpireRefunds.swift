import Billing
import Storage

extension BackOffice {
    /// Ends refund requests that nobody acted on in time, each with an audit entry.
    ///
    /// - Returns: the number of requests.
    package func expireRefunds() async throws -> Int {
        var ended = 0
        while true {
            let batch = try await database.write { try await expireRefunds(limit: 100, in: $0) }
            ended += batch
            if batch < 100 { return ended }
        }
    }

    private func expireRefunds(limit: Int, in transaction: WriteTransaction) async throws -> Int {
        let sweeper = Caller(.clock(for: nil), actor: "perennial")
        let stale = try await transaction.refunds.lockStale(limit: limit)
        for before in stale {
            var after = before
            try after.refund.take(.expire)
            after.finished = RefundRequest.Act(staff: nil, actor: sweeper.actor, at: transaction.now)
            try await transaction.refunds.save(after)
            try await transaction.audit.append(
                sweeper.entry(
                    .expireRefund,
                    on: "refund",
                    after.number,
                    app: after.app,
                    before: before.auditText(in: transaction),
                    after: after.auditText(in: transaction)
                )
            )
        }
        return stale.count
    }
}
