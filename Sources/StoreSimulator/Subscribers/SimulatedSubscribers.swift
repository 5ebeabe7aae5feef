import Billing
package import Foundation

/// Simulates the business of one app: its customers, and all App Store notifications about them up to a date.
///
/// Pure: the same seed and the same end give the same customers, ids and dates (signatures differ).
package struct SimulatedSubscribers: Sendable {
    package let seed: UInt64
    package let catalog: SimulatedCatalog
    package let turns: SimulatedTurns?
    package let start: Date
    package let end: Date
    /// The customers in the order of their numbers, not of joining.
    package let customers: [SimulatedCustomer]

    /// - Parameter turns: the events that touch everybody; nil for a business without any.
    package init(
        seed: UInt64,
        customers: Int,
        months: Int,
        endingAt end: Date,
        catalog: SimulatedCatalog = .readmigo,
        turns: ((_ start: Date, _ end: Date) -> SimulatedTurns)? = nil
    ) {
        self.seed = seed
        self.catalog = catalog
        self.end = end
        let start = BillingPeriod(1, .month).end(of: -max(1, months), periodsFrom: end, in: .gmt)
        self.start = start
        let turns = turns?(start, end)
        self.turns = turns
        let hasScenarios = customers >= Scenario.allCases.count
        self.customers = (0..<max(0, customers)).map { number in
            var random = SeededRandom(seed: seed, stream: UInt64(number) << 1)
            return SimulatedCustomer(
                joiningBetween: start,
                and: end,
                home: catalog.home,
                scenario: hasScenarios ? Scenario.of(number) : nil,
                turns: turns,
                using: &random
            )
        }
    }

    /// Returns all notifications in the order of signing.
    package func notifications() -> [SimulatedNotification] {
        guard !catalog.products.isEmpty else { return [] }
        var all = appNotifications()
        for number in customers.indices { all.append(contentsOf: notifications(of: number)) }
        return all.sorted {
            ($0.signedDate, $0.notificationUUID.uuidString) < ($1.signedDate, $1.notificationUUID.uuidString)
        }
    }

    /// Returns the notifications of one customer, in order.
    package func notifications(of number: Int) -> [SimulatedNotification] {
        let scenario = customers.count >= Scenario.allCases.count ? Scenario.of(number) : nil
        var random = SeededRandom(seed: seed, stream: UInt64(number) << 1 | 1)
        guard let product = product(for: scenario, using: &random) else { return [] }
        var life = SimulatedSubscriber(
            of: customers[number],
            buying: product,
            in: catalog,
            turns: turns,
            until: end,
            transactionPrefix: transactionPrefix(of: number),
            scenario: scenario,
            random: random
        )
        life.live()
        return life.notifications
    }

    /// The customers' names and addresses by app account token, as an app's own sign-up would report them.
    package var people: [UUID: SimulatedPerson] {
        var people: [UUID: SimulatedPerson] = [:]
        for (number, customer) in customers.enumerated() {
            people[customer.token] = SimulatedPerson(number: number, seed: seed, country: customer.storefront.country)
        }
        return people
    }

    /// Picks a product: monthly plans sell better than yearly ones, and the lower rank better than the higher.
    private func product(for scenario: Scenario?, using random: inout SeededRandom) -> SimulatedProduct? {
        let choices = catalog.products.filter { product in
            switch scenario {
            case nil, .familyLeft, .sandboxTester: true
            case .trialConverted, .trialAbandoned: product.hasTrial
            case .upgraded: product.period.unit == .month && catalog.upgrade(of: product) != nil
            case .downgraded, .changeTakenBack: product.period.unit == .month && catalog.downgrade(of: product) != nil
            default: product.period.unit == .month
            }
        }
        let weighted = choices.map { product in
            (weight: (product.period.unit == .month ? 3 : 2) * (product.rank <= 1 ? 2 : 1), item: product)
        }
        return random.pick(weighted: weighted) ?? random.pick(catalog.products)
    }

    /// Returns 4, five digits of the seed and six of the customer; each transaction adds four.
    private func transactionPrefix(of number: Int) -> String {
        var random = SeededRandom(seed: seed)
        return String(4 * 100_000 + random.next() % 100_000) + String(1_000_000 + number).dropFirst()
    }

    /// Returns notifications that concern no customer: Apple's test button, and a type that nobody knows yet.
    private func appNotifications() -> [SimulatedNotification] {
        var random = SeededRandom(seed: seed, stream: .max)
        let length = end.timeIntervalSince(start)
        return [("TEST", 0.01), ("TEST", 0.5), ("LOYALTY_LEVEL_CHANGED", 0.7), ("LOYALTY_LEVEL_CHANGED", 0.95)].map {
            SimulatedNotification(
                notificationUUID: random.uuid(),
                type: $0.0,
                signedDate: Date(
                    timeIntervalSince1970: (start.timeIntervalSince1970 + length * $0.1).rounded(.down)
                ),
                environment: .production,
                bundleID: catalog.bundleID,
                appAppleID: catalog.appAppleID
            )
        }
    }
}

extension Scenario {
    /// Returns a customer's scenario: the first customers have one each; everybody else lives by chance.
    static func of(_ number: Int) -> Scenario? {
        allCases.indices.contains(number) ? allCases[number] : nil
    }
}
