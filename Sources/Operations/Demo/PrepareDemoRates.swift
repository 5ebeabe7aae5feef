import Billing
import Foundation
import Storage

extension BackOffice {
    /// Exchange rates of the demo: made up, near what they were, for every working day of three years.
    package func prepareDemoRates() async throws {
        let today = BusinessDay(database.now, in: .gmt)
        let rates = (0..<1_100).map { today.advanced(by: -$0) }.filter { $0.weekday <= 5 }.flatMap(Self.demoRates)
        _ = try await importRates(rates)
    }

    /// In ten-thousandths: a level, how far a month moves it, and what each day adds.
    private static let demoCurrencies: [(code: String, level: Int, swing: Int, slope: Int)] = [
        ("CNY", 77_500, 120, 1), ("USD", 10_900, 25, 0), ("TRY", 340_000, 900, 140), ("GBP", 8_500, 15, 0),
        ("JPY", 1_600_000, 4_000, 60),
    ]

    private static func demoRates(of day: BusinessDay) -> [ExchangeRate] {
        demoCurrencies.compactMap { code, level, swing, slope in
            // From month to month up and down, the same for everybody on the same day.
            let wave = [0, 2, 3, 1, -1, -2, -3, -2, 0, 1, 2, 0][day.month - 1] * swing + day.day * swing / 31
            let units = level + wave + slope * (day.number - 20_000) / 10
            let fraction = String(units % 10_000)
            guard let currency = Currency(code) else { return nil }
            let text = "\(units / 10_000).\(String(repeating: "0", count: 4 - fraction.count))\(fraction)"
            return ExchangeRate(currency: currency, day: day, perEuro: text)
        }
    }
}
