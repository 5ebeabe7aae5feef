import Billing
import Foundation
import Postgres

extension RowColumns {
    /// One of an enumeration's words.
    mutating func word<Word: RawRepresentable>(_ type: Word.Type = Word.self) throws -> Word
    where Word.RawValue == String {
        let text: String = try next()
        guard let word = Word(rawValue: text) else {
            throw PostgresError(.decoding, "\(text) is no \(Word.self)")
        }
        return word
    }

    mutating func next() throws -> Currency {
        let code: String = try next()
        guard let currency = Currency(code) else {
            throw PostgresError(.decoding, "\(code) is no ISO 4217 code")
        }
        return currency
    }

    mutating func next() throws -> Personal<String>? { (try next() as String?).map { Personal($0) } }

    mutating func next<Subject>() throws -> Identifier<Subject> {
        Identifier(try next() as UUID)
    }
}
