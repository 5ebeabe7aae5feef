package import Storage

extension BackOffice {
    /// Keeps daily rates; a rate that is known for a day already is replaced.
    ///
    /// - Returns: how many rates were new or different.
    package func importRates(_ rates: [ExchangeRate]) async throws -> Int {
        try await database.write { try await $0.rates.save(rates) }
    }
}
