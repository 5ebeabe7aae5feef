package import Billing
package import Foundation
import Gateways

/// The subscribers of the simulated Google Play. The same seed and end give the same ones, with the same purchase tokens.
package struct SimulatedPlayers: Sendable {
    package let shelf: SimulatedShelf
    package let players: [SimulatedPlayer]
    /// From then on pushes are left to be delivered.
    private let present: Date

    package init(seed: UInt64, customers: Int, from start: Date, until end: Date) {
        let shelf = SimulatedShelf(of: .google)
        self.shelf = shelf
        players = (0..<max(0, customers)).map { number in
            SimulatedPlayer(number: number, seed: seed, at: shelf, from: start, until: end)
        }
        present = end.addingTimeInterval(-86_400)
    }

    /// Has it all happen at the store, and asks the store after each step, as a server of those days would have.
    ///
    /// The store's clock stands at each step, and runs with real time afterwards. The pushes of the last day are left to be delivered.
    ///
    /// - Parameter asks: false where only the store is to know of it, for another start of its process; then no push is left.
    /// - Returns: what the store told of each player, in order.
    package func play(at google: SimulatedGoogle, asks: Bool) async throws -> [[StoreEvent]] {
        let gateway = GoogleGateway(
            transport: google.transport,
            policy: .once,
            clock: AppleServerClock(now: { google.clock.now }, sleep: { _ in }, jitter: { 0 })
        )
        let account = google.account
        let steps = players.indices.flatMap { player in players[player].steps.map { (player: player, step: $0) } }
            .sorted { ($0.step.at, $0.player) < ($1.step.at, $1.player) }
        var tokens: [Int: String] = [:]
        var told: [[StoreEvent]] = Array(repeating: [], count: players.count)
        for (player, step) in steps {
            google.clock.stand(at: step.at)
            let before = google.pushes.count
            Self.act(step.deed, of: players[player], token: &tokens[player], at: google)
            guard asks, step.at < present else { continue }
            for (index, push) in google.pushes.dropFirst(before).enumerated() {
                google.clock.stand(at: step.at.addingTimeInterval(Double(index + 1)))
                told[player] += try await gateway.events(
                    of: push.body(subscription: google.subscription),
                    for: account
                )
            }
            google.forgetPushes(from: before)
        }
        google.clock.run()
        if !asks { google.forgetPushes() }
        return told
    }

    private static func act(
        _ deed: SimulatedPlayer.Deed,
        of player: SimulatedPlayer,
        token: inout String?,
        at google: SimulatedGoogle
    ) {
        if case .buy(let trial) = deed {
            let bought = google.buy(player.plan, account: player.token.uuidString.lowercased(), trial: trial)
            google.acknowledge(bought)
            token = bought
            return
        }
        guard let token, let order = google.purchase(token)?.orders.last else { return }
        switch deed {
        case .buy: break
        case .renew: google.renew(token)
        case .grace: google.failCharge(token, grace: 3)
        case .hold: google.hold(token)
        case .cancel: google.cancel(token)
        case .pause: google.pause(token, days: 30)
        case .expire: google.expire(token)
        case .refund: google.refund(order, revoking: true)
        case .chargeBack: google.chargeBack(order)
        case .review: google.askAboutRefund(order, token: "review-\(order)")
        }
    }
}
