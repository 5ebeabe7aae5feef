import Billing
import Foundation

/// The stores' shares, after every field was checked.
extension CatalogFile {
    func fees() throws -> [Store: StoreFee] {
        var fees: [Store: StoreFee] = [:]
        for (name, entry) in (stores ?? [:]).sorted(by: { $0.key < $1.key }) {
            let (store, path) = (try store(name), "stores.\(name)")
            guard entry.fees != nil || entry.soldOn != nil else { continue }
            guard [nil, "ios"].contains(entry.soldOn) else {
                throw invalid("\(path).soldOn", "is ios, or there is no line")
            }
            fees[store] = StoreFee(
                share: try entry.fees.flatMap { try share($0, "\(path).fees") },
                storefronts: try entry.fees.map { try terms($0, at: store, "\(path).fees.storefronts") } ?? [],
                isOnIOSOnly: entry.soldOn != nil
            )
        }
        return fees
    }

    /// nil for the store's usual share.
    private func share(_ fees: Fees, _ path: String) throws -> StoreFee.Share? {
        guard let firstYear = fees.firstYear else {
            guard fees.later == nil, fees.storefronts != nil else { throw invalid("\(path).firstYear", "is missing") }
            return nil
        }
        return try share(firstYear, fees.later, path)
    }

    private func share(_ firstYear: String, _ later: String?, _ path: String) throws -> StoreFee.Share {
        let first = try basisPoints(firstYear, "\(path).firstYear")
        return StoreFee.Share(firstYear: first, later: try later.map { try basisPoints($0, "\(path).later") } ?? first)
    }

    /// By storefront and date; that order gives them their numbers, so that the same lines have the same ones.
    private func terms(_ fees: Fees, at store: Store, _ path: String) throws -> [StoreTerms] {
        var terms: [StoreTerms] = []
        for (storefront, rows) in (fees.storefronts ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard storefront.wholeMatch(of: /[A-Z]{3}/) != nil else {
                throw invalid("\(path).\(storefront)", "is no storefront; they are countries in three letters: CHN")
            }
            let own = try rows.enumerated().map { index, row in
                let path = "\(path).\(storefront)[\(index)]"
                return StoreTerms(
                    number: StoreTerms.world,
                    store: store,
                    storefronts: [storefront],
                    since: try row.since.map { try midnight($0, "\(path).since") },
                    share: try share(row.firstYear, row.later, path)
                )
            }
            let dates = own.map(\.since)
            guard Set(dates).count == dates.count else {
                throw invalid("\(path).\(storefront)", "has two lines of a date")
            }
            terms += own.sorted { ($0.since ?? .distantPast) < ($1.since ?? .distantPast) }
        }
        guard terms.count <= StoreTerms.ownNumbers.count else {
            throw invalid(path, "has more than \(StoreTerms.ownNumbers.count) lines")
        }
        return zip(StoreTerms.ownNumbers, terms).map { number, terms in
            var terms = terms
            terms.number = number
            return terms
        }
    }

    private func midnight(_ day: String, _ path: String) throws -> Date {
        guard day.wholeMatch(of: /[12][0-9]{3}-[0-9]{2}-[0-9]{2}/) != nil, let date = Date(rfc3339: "\(day)T00:00:00Z")
        else { throw invalid(path, "is a day such as 2026-03-15") }
        return date
    }

    private func store(_ name: String) throws -> Store {
        guard let store = Store(rawValue: name) else {
            let stores = Store.known.map(\.rawValue).joined(separator: ", ")
            throw invalid("stores.\(name)", "is no store; stores are \(stores)")
        }
        return store
    }

    /// "15" is 1500, "0.6" is 60.
    private func basisPoints(_ text: String, _ path: String) throws -> Int {
        guard let match = text.wholeMatch(of: /([0-9]{1,3})(?:\.([0-9]{1,2}))?/), let whole = Int(match.1),
            let parts = Int((match.2.map(String.init) ?? "").padding(toLength: 2, withPad: "0", startingAt: 0)),
            whole * 100 + parts <= 10_000
        else { throw invalid(path, "is a percentage from 0 to 100 with at most two decimals, such as 15 or 0.6") }
        return whole * 100 + parts
    }
}
