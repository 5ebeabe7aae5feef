import Billing
import Foundation
import Storage
import Testing

@testable import Desk

@Suite("Files say how many orders have no amount yet")
struct UnpricedFilesTests {
    @Test("in a row of its own behind the months, where there are any", arguments: [0, 3])
    func cohorts(unpriced: Int) {
        let currency = Currency("CNY") ?? .unknown
        let monthly = CohortCSV.file(
            of: ConvertedMetrics<MonthlyValue>(
                currency: currency,
                rows: [],
                missingRates: [],
                unconverted: [],
                unpriced: unpriced
            ),
            on: BusinessDay(Date(timeIntervalSince1970: 1_772_323_200), in: .gmt)
        )
        let lifetime = CohortCSV.file(
            of: ConvertedMetrics<LifetimeValue>(
                currency: currency,
                rows: [],
                missingRates: [],
                unconverted: [],
                unpriced: unpriced
            )
        )
        for file in [monthly, lifetime] {
            let lines = String(decoding: file.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            #expect(lines.first?.contains("orders_without_amount") == true)
            #expect(lines.count == (unpriced > 0 ? 2 : 1))
            let names = lines[0].split(separator: ",", omittingEmptySubsequences: false)
            for line in lines.dropFirst() {
                let cells = line.split(separator: ",", omittingEmptySubsequences: false)
                #expect(cells.count == names.count)
                #expect(cells.last == "3")
            }
        }
    }
}
