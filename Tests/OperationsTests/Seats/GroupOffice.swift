import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

/// A back office whose app invites to a group of Ada's that the simulated Apple knows.
struct GroupOffice: Sendable {
    let connected: ConnectedOffice
    let app: App.ID
    let ada: NamedCustomer

    static let caller = Caller(.appServer(Identifier(UUID())), actor: "readmigo (key Till)")
    static let original = "410000000000001"

    var office: TestOffice { connected.office }

    /// - Parameter seats: with Ada's own.
    static func run(seats: Int64 = 3, _ body: (GroupOffice, inout SimulatedGroup) async throws -> Void) async throws {
        try await ConnectedOffice.run { connected in
            let app = try await connected.office.app()
            let ada = try await connected.backOffice.customerOrNew(named: "ada", of: app)
            let office = GroupOffice(connected: connected, app: app, ada: ada)
            var group = office.group(original, seats: seats)
            try await office.tell(group.bought())
            try await body(office, &group)
        }
    }

    func group(_ original: String, seats: Int64) -> SimulatedGroup {
        var group = SimulatedGroup(
            originalID: original,
            seats: seats,
            from: TestOffice.start.addingTimeInterval(-2 * 86_400),
            to: TestOffice.start.addingTimeInterval(28 * 86_400),
            purchaser: ada.accountToken
        )
        group.isManagedByApp = true
        return group
    }

    /// Apple knows it, and says so.
    func tell(_ message: SimulatedMessage) async throws {
        connected.store.record([message], as: .arrived)
        try await connected.receive([try AppleSigner(authority: try TestOffice.authority.get()).sign(message)])
    }

    @discardableResult
    func claim(
        _ member: String,
        of original: String? = nil,
        as account: String? = nil,
        on server: BackOffice? = nil
    ) async throws -> SeatClaim {
        try await (server ?? connected.backOffice).claimSeat(
            try SeatRequest(
                purchaser: "ada",
                member: member,
                originalTransactionID: original,
                appTransactionID: account
            ),
            of: app,
            caller: Self.caller
        )
    }

    /// Works off the queue, also what is not due yet.
    func work() async throws {
        // Twice, for what the first round leaves to do; more often where an answer came late.
        for round in 0..<6 {
            let waiting = try await office.lines(
                "SELECT id::text FROM jobs WHERE state = 'available' AND kind = 'seat_group'"
            )
            guard round < 2 || !waiting.isEmpty else { return }
            _ = try await office.database.writeAlone(
                "UPDATE jobs SET scheduled_at = now() WHERE state = 'available' AND kind = 'seat_group'"
            )
            _ = try await JobWorker(backOffice: connected.backOffice).drain()
        }
    }

    func plan(of member: String) async throws -> String? {
        let customer = try await connected.backOffice.customer(named: member, of: app)
        return try await office.entitlement(customer.customer)?.plan.code
    }

    /// "ben held", "cleo ended left"
    func claims() async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', c.external_id,
                CASE WHEN x.ended_at IS NOT NULL THEN 'ended' WHEN x.claimed_at IS NOT NULL THEN 'held' ELSE 'asked' END,
                x.ended_by, CASE WHEN x.is_to_be_freed THEN 'to free' END)
            FROM seat_claims x
            JOIN customers c ON c.id = x.customer_id
            ORDER BY c.external_id, x.requested_at, x.id
            """
        )
    }

    func kept(_ id: SeatClaim.ID) async throws -> SeatClaim {
        let claim = try await office.database.readPrimary { try await $0.seatClaims.claim(id, of: app) }
        return try #require(claim)
    }

    /// Whom the desk's list of seats names: members, and the store's ids of seats that nobody claimed.
    func listed(_ shown: SeatFilter.Shown) async throws -> [String] {
        let list = try await office.database.read { reader in
            try await reader.seatClaims.list(SeatFilter(shown: shown), of: app, seesPersonalData: true)
        }
        return list.rows.map { row in
            switch row {
            case .claim(let seat): seat.member.externalID ?? seat.member.key
            case .unknown(let seat): seat.seat.storeClaimID
            }
        }
    }

    func version(of member: String) async throws -> Int64 {
        try await connected.backOffice.customer(named: member, of: app).entitlementVersion
    }

    func merge(_ gone: String, into survivor: String) async throws {
        let backOffice = connected.backOffice
        let one = try await backOffice.customer(named: gone, of: app).customer
        let other = try await backOffice.customerOrNew(named: survivor, of: app).customer
        try await office.database.write { try await $0.customers.merge(one, into: other, of: app) }
    }

    func seatServer() async throws -> any SeatServer {
        let known = try await connected.backOffice.apps.entry(for: app)?.accounts[.apple]
        let account = try #require(known)
        let server = try AppleGateway().seats(of: account)
        return try #require(server)
    }

    /// The number of claims that Apple has.
    func claimedAtApple(_ original: String = original) async throws -> Int {
        try await seatServer().seats(of: original, in: .production).claimIDs.count
    }
}
