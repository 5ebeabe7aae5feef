import Crypto
package import Foundation
import Storage

/// The result of verifying the audit chain.
package enum AuditVerdict: Sendable, Hashable {
    /// Every entry is as it was written. The end of the chain is worth keeping elsewhere: with it, a chain that was rewritten from some
    /// point on is also noticed.
    case intact(AuditMark)
    case broken(AuditBreak)
}

/// A point of the audit chain, as an operator writes it down: `1284:5f3a…`.
package struct AuditMark: Sendable, Hashable, LosslessStringConvertible {
    package var number: Int64
    package var hash: [UInt8]

    package init(number: Int64, hash: [UInt8]) {
        self.number = number
        self.hash = hash
    }

    package init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0,
            let hash = [UInt8](hexadecimal: parts[1]), hash.count == SHA256.byteCount
        else { return nil }
        self.init(number: number, hash: hash)
    }

    package var description: String { "\(number):\(hash.hexadecimal)" }
}

/// The first place where the audit log does not fit its chain.
package struct AuditBreak: Sendable, Hashable {
    /// The place in the chain, counted from one; nil for an entry that is in no place.
    package var number: Int64?
    package var entry: UUID?
    package var finding: Finding

    package init(number: Int64? = nil, entry: UUID? = nil, finding: Finding) {
        self.number = number
        self.entry = entry
        self.finding = finding
    }

    package enum Finding: String, Sendable, Hashable, CaseIterable {
        /// The entry, or the link itself, is not what it was.
        case changed
        /// The link is there, its entry is not.
        case entryGone
        /// Links are missing before this number.
        case linkGone
        /// The chain ends before the place that its head names.
        case endGone
        /// The record of the chain's end is gone, or is not that of the last link.
        case headWrong
        /// An entry that the chain does not know.
        case notChained
        /// At the place that was remembered there is another hash.
        case notAsRemembered
    }
}

extension BackOffice {
    /// Computes the audit chain anew and compares; reads everything once, in order.
    ///
    /// - Parameter remembered: a point of the chain that was written down before.
    package func verifyAuditChain(remembered: AuditMark? = nil) async throws -> AuditVerdict {
        try await database.readPrimary { reader in
            guard let head = try await reader.audit.head() else {
                return .broken(AuditBreak(finding: .headWrong))
            }
            var check = AuditChainCheck()
            while true {
                let links = try await reader.audit.links(after: check.number)
                for link in links where link.number <= head.number {
                    if let found = check.take(link) { return .broken(found) }
                }
                guard let last = links.last, last.number < head.number else { break }
            }
            if let found = check.end(at: head) { return .broken(found) }
            if let entry = try await reader.audit.unchainedEntry() {
                return .broken(AuditBreak(entry: entry, finding: .notChained))
            }
            if let remembered, remembered.number > 0,
                try await reader.audit.hash(ofLink: remembered.number) != remembered.hash
            {
                return .broken(AuditBreak(number: remembered.number, finding: .notAsRemembered))
            }
            return .intact(AuditMark(number: head.number, hash: head.hash))
        }
    }
}

/// Walks along the chain. Pure.
struct AuditChainCheck {
    /// The last link that fits.
    private(set) var number: Int64 = 0
    private var hash = [UInt8](repeating: 0, count: SHA256.byteCount)
    private var version: Int16 = 1

    /// The fault of the next link; nil if it fits.
    mutating func take(_ link: AuditLink) -> AuditBreak? {
        guard link.number == number + 1 else { return AuditBreak(number: number + 1, finding: .linkGone) }
        // Only the operator has the chain checked.
        guard let columns = link.columns?.shown(to: Caller.commandLine) else {
            return AuditBreak(number: link.number, entry: link.entry, finding: .entryGone)
        }
        var digest = SHA256()
        digest.update(data: hash)
        digest.update(data: Self.content(of: link, columns))
        // A link of an older version behind one of a newer is not how ours are made.
        guard link.version >= version, Array(digest.finalize()) == link.hash else {
            return AuditBreak(number: link.number, entry: link.entry, finding: .changed)
        }
        (number, hash, version) = (link.number, link.hash, link.version)
        return nil
    }

    /// The fault at the end of the chain; nil if there is none.
    func end(at head: AuditHead) -> AuditBreak? {
        guard number == head.number else { return AuditBreak(number: number + 1, finding: .endGone) }
        guard hash == head.hash, head.lastLink == head.number else {
            return AuditBreak(number: head.number, finding: .headWrong)
        }
        return nil
    }

    /// The bytes that an entry's hash covers; `audit_content` in the database writes the same. The first version left out the customer, who
    /// comes last.
    private static func content(of link: AuditLink, _ columns: [String?]) -> [UInt8] {
        let covered: [String?] =
            link.version == 1
            ? [String(link.number)] + columns.dropLast() : [String(link.version), String(link.number)] + columns
        return covered.flatMap { text in
            Array((text.map { "\($0.utf8.count):\($0)," } ?? "~,").utf8)
        }
    }
}

extension AuditBreak {
    /// In a sentence, for the operator.
    package var text: String {
        let place = number.map { "link \($0)" } ?? "the chain"
        let entry = entry.map { ", entry \($0.uuidString.lowercased())" } ?? ""
        return switch finding {
        case .changed: "\(place)\(entry): the entry is not what was written"
        case .entryGone: "\(place)\(entry): the entry was removed"
        case .linkGone: "\(place) was removed"
        case .endGone: "\(place) and what followed it were removed"
        case .headWrong: "\(place): the record of the chain's end does not fit"
        case .notChained: "\(place)\(entry): the entry was put in without a link"
        case .notAsRemembered: "\(place) is not the one that was remembered"
        }
    }
}
