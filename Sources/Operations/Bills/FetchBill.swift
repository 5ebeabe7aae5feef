import Billing
import Foundation
import Gateways
import Logging
import Storage

extension BackOffice {
    /// Fetches a store's bill of a day and compares it with the books. A payment that the books do not have is asked for first: its message
    /// may be late.
    ///
    /// A difference that this bill, or a payment since, explains is closed, whichever bill it was found in. What goes wrong at the store is
    /// kept with the bill, which is put off; the store's next bill is fetched meanwhile.
    func fetchBill(_ leased: LeasedJob) async throws -> JobProgress {
        let id = DailyBill.ID(leased.subject)
        guard let bill = try await database.readPrimary({ try await $0.dailyBill(id, of: leased.app) }),
            bill.nextAt != nil
        else { return try await end(leased) }
        do {
            guard let connected = try await billSource(of: leased.app, at: bill.store) else {
                return try await end(leased)
            }
            guard let fetched = try await connected.source.bill(of: bill.day) else {
                return try await finish(leased, with: BillSchedule.notMade(bill, at: database.now))
            }
            let rows = try await own(fetched.rows, of: bill)
            try await settle(rows, of: bill)
            try await settleUnknownRefunds(rows, of: bill)
            return try await compare(bill, fetched, rows, leased)
        } catch let failure as StoreFailure {
            return try await finish(leased, with: BillSchedule.failed(bill, failure.message, at: database.now))
        } catch let error as OperationsError where error.code == .misconfigured || error.code == .conflict {
            return try await finish(leased, with: BillSchedule.failed(bill, error.message, at: database.now))
        }
    }

    /// Without the rows of other apps that the same merchant sells for.
    private func own(_ rows: [BilledMovement], of bill: DailyBill) async throws -> [BilledMovement] {
        let others = try await database.readPrimary { reader in
            try await reader.numbersOfOtherApps(rows.map(\.orderNumber), than: bill.app, at: bill.store)
        }
        return others.isEmpty ? rows : rows.filter { !others.contains($0.orderNumber) }
    }

    /// Asks the store about orders that it says were paid and that are not paid here, and settles their payments.
    ///
    /// - Throws: `StoreFailure` where the store does not answer: then nothing is told as a difference yet.
    private func settle(_ rows: [BilledMovement], of bill: DailyBill) async throws {
        let payments = rows.filter { $0.kind == .payment }
        let numbers = try await database.readPrimary { reader in
            try await reader.unsettledCheckouts(
                payments.map(\.orderNumber),
                paidBy: payments.map(\.transactionID),
                of: bill.app,
                at: bill.store,
                limit: Self.questionsAtOnce
            )
        }
        guard !numbers.isEmpty else { return }
        let server = try await checkoutServer(of: bill.app, at: bill.store).server
        for number in numbers {
            do {
                switch try await server.standing(of: number) {
                case .paid(let payment), .closed(let payment?):
                    let refunds = rows.filter { $0.kind == .refund && $0.transactionID == payment.transactionID }
                    try await settle(payment, with: refunds, at: bill.store, of: bill.app)
                case .closed(nil), .unknown, .open, .paying: break
                }
            } catch let failure as StoreFailure {
                guard failure.refusal != nil else { throw failure }
            }
        }
    }

    /// Books the refunds of which the store said no amount when their payments were found.
    private func settleUnknownRefunds(_ rows: [BilledMovement], of bill: DailyBill) async throws {
        let refunds = rows.filter { $0.kind == .refund }
        guard !refunds.isEmpty else { return }
        let payments = try await database.readPrimary { reader in
            try await reader.paymentsWithUnknownRefunds(refunds.map(\.transactionID), of: bill.app, at: bill.store)
        }
        for refund in refunds where payments.contains(refund.transactionID) {
            try await settle(refund, at: bill.store, of: bill.app)
        }
    }

    private func compare(
        _ bill: DailyBill,
        _ fetched: StoreBill,
        _ rows: [BilledMovement],
        _ leased: LeasedJob
    ) async throws -> JobProgress {
        func next(_ locked: DailyBill, at now: Date) -> DailyBill {
            BillSchedule.fetched(
                locked,
                rows: rows.count,
                unreadable: fetched.unreadable,
                isWhole: fetched.isWhole,
                at: now
            )
        }
        do {
            var result = try await database.write { transaction in
                guard let locked = try await transaction.bills.lock(bill.id, of: bill.app),
                    try await transaction.jobs.hold(leased.lease, for: Self.jobLease)
                else { throw LeaseLost() }
                let next = next(locked, at: transaction.now)
                try await transaction.bills.replace(rows, of: next)
                return try await reconcile(next, in: transaction)
            }
            result.explained += try await reconcileOthers(than: bill)  // safe: counts of rows
            // The bill is kept as fetched once the others are compared with it: whoever goes on after a server that died fetches it again.
            try await database.write { transaction in
                guard let locked = try await transaction.bills.lock(bill.id, of: bill.app) else { throw LeaseLost() }
                try await transaction.bills.keep(next(locked, at: transaction.now))
                guard try await transaction.jobs.complete(leased.lease) else { throw LeaseLost() }
                try await transaction.bills.enqueueNext(of: bill.app, at: bill.store, in: bill.environment)
            }
            log(bill, rows: rows.count, result)
            return .finished
        } catch is LeaseLost {
            return .leaseLost
        }
    }

    /// Compares the account's other bills that have open differences, each in a transaction of its own: what is explained of one waits for no
    /// other, and holds no locks meanwhile.
    ///
    /// - Returns: the number of differences that are closed.
    private func reconcileOthers(than bill: DailyBill) async throws -> Int {
        var explained = 0
        for id in try await database.readPrimary({ try await $0.billsWithOpenDifferences(besides: bill) }) {
            explained += try await database.write { transaction in
                guard let other = try await transaction.bills.lock(id, of: bill.app) else { return 0 }
                return try await reconcile(other, in: transaction).explained
            }  // safe: counts of rows
        }
        return explained
    }

    /// Compares a bill as it is kept.
    private func reconcile(
        _ bill: DailyBill,
        in transaction: WriteTransaction
    ) async throws -> (opened: Int, explained: Int) {
        guard bill.fetchedAt != nil else { return (0, 0) }
        let reconciliation = try await transaction.reconciliation(of: bill)
        return try await transaction.bills.keep(reconciliation.differences, of: bill)
    }

    private func finish(_ leased: LeasedJob, with bill: DailyBill) async throws -> JobProgress {
        do {
            try await database.write { transaction in
                try await transaction.bills.keep(bill)
                guard try await transaction.jobs.complete(leased.lease) else { throw LeaseLost() }
                try await transaction.bills.enqueueNext(of: bill.app, at: bill.store, in: bill.environment)
            }
        } catch is LeaseLost {
            return .leaseLost
        }
        if let problem = bill.problem {
            logger.warning("a bill was not fetched: \(problem)", metadata: metadata(of: bill))
        }
        return .finished
    }

    private func log(_ bill: DailyBill, rows: Int, _ result: (opened: Int, explained: Int)) {
        var metadata = metadata(of: bill)
        metadata["rows"] = "\(rows)"
        metadata["differences"] = "\(result.opened)"
        metadata["explained"] = "\(result.explained)"
        logger.info("a bill was compared", metadata: metadata)
    }

    private func metadata(of bill: DailyBill) -> Logger.Metadata {
        ["store": "\(bill.store.rawValue)", "environment": "\(bill.environment.rawValue)", "day": "\(bill.day)"]
    }

    /// The number of orders that are asked for by one bill; the others are told as differences, and asked for with the next.
    private static var questionsAtOnce: Int { 500 }
}
