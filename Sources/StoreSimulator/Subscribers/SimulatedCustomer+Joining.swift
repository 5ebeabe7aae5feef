import Billing
import Foundation

extension SimulatedCustomer {
    /// Makes a customer who joins at a random time of a growing, seasonal business; one with a scenario joins early, so that it
    /// comes
    /// true.
    init(
        joiningBetween start: Date,
        and end: Date,
        home: String = "CHN",
        scenario: Scenario?,
        turns: SimulatedTurns?,
        using random: inout SeededRandom
    ) {
        token = random.uuid()
        let storefronts = SimulatedStorefront.weighted(home: home)
        storefront = random.pick(weighted: storefronts) ?? SimulatedStorefront.weighted[0].storefront
        let isTester = random.chance(0.02)
        environment = scenario == .sandboxTester || (scenario == nil && isTester) ? .sandbox : .production
        let isMember = random.chance(0.02)
        isFamilyMember = environment == .production && (scenario == .familyLeft || (scenario == nil && isMember))
        let length = end.timeIntervalSince(start)
        var share = random.double(0...0.12)
        if scenario == nil {
            repeat {
                share = random.unit()
            } while turns?.outage.contains(start.addingTimeInterval(length * share)) == true
                || !random.chance(Self.appeal(at: share, from: start, length: length))
        }
        let seconds = start.timeIntervalSince1970 + length * share
        joinsAt = Date(timeIntervalSince1970: min(seconds, end.timeIntervalSince1970 - 60).rounded(.down))
    }

    /// Returns the likelihood, at most 1, that somebody who could join at a time does: growth times season times hour of the day.
    private static func appeal(at share: Double, from start: Date, length: TimeInterval) -> Double {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = start.addingTimeInterval(length * share)
        let parts = calendar.dateComponents([.month, .hour], from: date)
        let growth = 0.3 + 0.7 * share
        // New Year, back to school, Double Eleven.
        let season =
            switch parts.month {
            case 1: 0.9
            case 2: 0.75
            case 9: 0.95
            case 11: 1.0
            case 6, 12: 0.75
            default: 0.6
            }
        // The hours of UTC in which China sleeps.
        let hour = (17...22).contains(parts.hour ?? 0) ? 0.2 : 1.0
        return growth * season * hour
    }
}
