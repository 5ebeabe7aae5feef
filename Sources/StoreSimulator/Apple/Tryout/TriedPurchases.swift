import Foundation
import Gateways

/// The purchases that were tried out, in a file beside the keys that sign for them: a line of JSON each.
package struct TriedPurchases: Sendable {
    private static let file = "apple-purchases.jsonl"

    private let folder: URL
    /// In the order in which they were bought.
    private var purchases: [TriedPurchase]

    /// - Throws: `.unusableAuthority` where the file cannot be read.
    package init(keptIn directory: String) throws(SimulatorError) {
        folder = URL(filePath: directory, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let lines = try KeptFile.text(Self.file, in: folder) { "" }.split(separator: "\n")
            purchases = try lines.map { try TriedPurchase(kept: JSON(parsing: Array($0.utf8))) }
        } catch {
            throw .unusable(directory, error)
        }
    }

    /// The one with a transaction's id; without an id the one that was bought last.
    ///
    /// - Throws: `.refused` where there is none.
    package func purchase(_ id: String?) throws(SimulatorError) -> TriedPurchase {
        guard let found = purchases.last(where: { id == nil || $0.id == id || $0.originalID == id }) else {
            throw SimulatorError(
                .refused,
                id.map { "Nothing was bought here under \($0)." }
                    ?? "Nothing was bought here: perennial simulate apple buy."
            )
        }
        return found
    }

    /// Keeps it as it is now.
    ///
    /// - Throws: `.unusableAuthority` where the file cannot be written.
    package mutating func keep(_ purchase: TriedPurchase) throws(SimulatorError) {
        if let place = purchases.firstIndex(where: { $0.originalID == purchase.originalID }) {
            purchases[place] = purchase
        } else {
            purchases.append(purchase)
        }
        do {
            let lines = purchases.map { String(decoding: $0.json.bytes, as: UTF8.self) }
            try KeptFile.write(lines.joined(separator: "\n"), as: Self.file, in: folder)
        } catch {
            throw .unusable(folder.path, error)
        }
    }
}
