import Billing
import Foundation
import Operations
import Storage
import SwiftCSV

/// A file of daily exchange rates in the format of the European Central Bank. It is `eurofxref-hist.csv` (all days) or
/// `eurofxref.csv` (one day, whose date is written out: "20 November 2026").
enum RatesFile {
    /// - Throws: `OperationsError` with `.invalid` that names the line and the column.
    static func read(_ path: String) throws -> [ExchangeRate] {
        guard FileManager.default.fileExists(atPath: path) else {
            throw OperationsError(.notFound, "There is no file \(path).", field: "file")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw OperationsError(.invalid, "\(path) cannot be read. Is it a file, and may you read it?", field: "file")
        }
        guard let text = String(bytes: data, encoding: .utf8) else { throw notRates }
        return try rates(in: text)
    }

    private static var notRates: OperationsError {
        OperationsError(
            .invalid,
            "This is not a file of comma-separated values in UTF-8, such as eurofxref-hist.csv of the European Central Bank.",
            field: "file"
        )
    }

    static func rates(in text: String) throws -> [ExchangeRate] {
        let file: CSV<Enumerated>
        do {
            file = try CSV<Enumerated>(string: text, delimiter: .comma)
        } catch {
            throw notRates
        }
        let header = file.header.map { $0.trimmingCharacters(in: .whitespaces) }
        guard header.first == "Date" else {
            throw OperationsError(
                .invalid,
                "The first line has to begin with Date, then the currencies.",
                field: "Date"
            )
        }
        var currencies: [(column: Int, Currency)] = []
        for (column, code) in header.enumerated().dropFirst() where !code.isEmpty {
            guard let currency = Currency(code) else {
                throw OperationsError(.invalid, "\(code) in the first line is no ISO 4217 currency.", field: code)
            }
            guard !currencies.contains(where: { $0.1 == currency }) else {
                throw OperationsError(.invalid, "\(code) is in the first line twice.", field: code)
            }
            currencies.append((column, currency))
        }
        return try file.rows.enumerated().flatMap { try rates(of: $1, line: $0 + 2, currencies, header) }
    }

    private static func rates(
        of row: [String],
        line: Int,
        _ currencies: [(column: Int, Currency)],
        _ header: [String]
    ) throws -> [ExchangeRate] {
        let cells = row.map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = cells.first, cells.contains(where: { !$0.isEmpty }) else { return [] }
        guard let day = BusinessDay(first) ?? dayInWords(first) else {
            throw OperationsError(.invalid, "Line \(line): \(first) is no day.", field: "Date")
        }
        if let column = cells.indices.first(where: { ($0 >= header.count || header[$0].isEmpty) && !cells[$0].isEmpty })
        {
            throw OperationsError(
                .invalid,
                "Line \(line): nothing reads \(cells[column].prefix(30)), because its column has no name in the first line.",
                field: "file"
            )
        }
        return try currencies.compactMap { column, currency in
            guard column < cells.count, !cells[column].isEmpty, cells[column] != "N/A" else { return nil }
            guard isRate(cells[column]) else {
                throw OperationsError(
                    .invalid,
                    "Line \(line): \(cells[column]) is no rate of \(currency).",
                    field: currency.code
                )
            }
            guard let rate = Decimal(string: cells[column]), possible.contains(rate) else {
                throw OperationsError(
                    .invalid,
                    "Line \(line): a rate of \(currency) is from 0.000001 to 1,000,000,000 a euro.",
                    field: currency.code
                )
            }
            return ExchangeRate(currency: currency, day: day, perEuro: cells[column])
        }
    }

    /// "20 November 2026"
    private static func dayInWords(_ text: String) -> BusinessDay? {
        let parts = text.split(separator: " ")
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ]
        guard parts.count == 3, let day = Int(parts[0]), let month = months.firstIndex(of: String(parts[1])),
            let year = Int(parts[2])
        else { return nil }
        let digits = [(year, 4), (month + 1, 2), (day, 2)].map {
            String(repeating: "0", count: max(0, $1 - "\($0)".count)) + "\($0)"
        }
        return BusinessDay(digits.joined(separator: "-"))
    }

    /// A euro has cost from a millionth to a billion of every currency there was; beyond, amounts fit no number.
    private static let possible = Decimal(sign: .plus, exponent: -6, significand: 1)...Decimal(1_000_000_000)

    /// Digits with at most one point, above zero; no exponent, no sign.
    private static func isRate(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && text.utf8.count <= 30
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
            && text.utf8.contains { (49...57).contains($0) }
    }
}
