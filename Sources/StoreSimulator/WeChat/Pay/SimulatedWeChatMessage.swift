import Crypto
package import Foundation
import Gateways

/// A notification of the simulated WeChat Pay, with its attempts.
package struct SimulatedWeChatMessage: Sendable {
    package let id: String
    /// TRANSACTION.SUCCESS, REFUND.…
    package let type: String
    /// Its content, encrypted.
    let content: JSON
    let url: String
    let createdAt: Date
    package internal(set) var attempts: [Attempt] = []
    /// When it is sent next; nil where it is taken or given up.
    package internal(set) var dueAt: Date?

    package struct Attempt: Hashable, Sendable {
        package let date: Date
        /// nil where nobody answered.
        package let status: Int?
    }

    package var isTaken: Bool { attempts.contains { $0.status == 200 || $0.status == 204 } }

    /// Takes down an attempt and when the next one is.
    mutating func record(_ status: Int?, at date: Date) {
        attempts.append(Attempt(date: date, status: status))
        guard !isTaken, Self.pauses.indices.contains(attempts.count - 1) else {
            dueAt = nil
            return
        }
        dueAt = date.addingTimeInterval(Self.pauses[attempts.count - 1])
    }

    /// The body as it is sent.
    func body(_ mood: SimulatedWeChatMood?, apiV3Key: String) throws -> Data {
        let (nonce, associated) = (String(id.suffix(12)), type.hasPrefix("REFUND") ? "refund" : "transaction")
        var content = content
        switch mood {
        case .otherMerchant: content["mchid"] = "1999999999"
        case .otherApp: content["appid"] = "wx9999999999999999"
        case .otherAmount:
            if case .integer(let total)? = content["amount"]?["total"] {
                content["amount"]?["total"] = .integer(max(1, total - 1))
            }
        default: break
        }
        let box = try AES.GCM.seal(
            Data(content.bytes),
            using: SymmetricKey(data: Data(apiV3Key.utf8)),
            nonce: AES.GCM.Nonce(data: Data(nonce.utf8)),
            authenticating: Data(associated.utf8)
        )
        var ciphertext = box.ciphertext + box.tag
        if mood == .truncatedCiphertext { ciphertext = ciphertext.prefix(10) }
        let json: JSON = [
            "id": .string(id), "create_time": .string(SimulatedWeChatTime.text(createdAt)),
            "resource_type": "encrypt-resource", "event_type": .string(type), "summary": "支付成功",
            "resource": [
                "original_type": .string(associated), "algorithm": "AEAD_AES_256_GCM",
                "ciphertext": .string(ciphertext.base64EncodedString()),
                "associated_data": .string(mood == .wrongAssociatedData ? "other" : associated),
                "nonce": .string(nonce),
            ],
        ]
        return Data(json.bytes)
    }

    /// In seconds after the attempt before: fifteen more attempts within 24 hours and 4 minutes (payments.md, 1B).
    package static let pauses: [TimeInterval] = [
        15, 15, 30, 180, 600, 1_200, 1_800, 1_800, 1_800, 3_600, 10_800, 10_800, 10_800, 21_600, 21_600,
    ]
}

/// Moments as WeChat Pay writes them.
enum SimulatedWeChatTime {
    /// `2026-11-21T18:40:00+08:00`
    static func text(_ date: Date) -> String { "\(date.addingTimeInterval(28_800).formatted(style))+08:00" }

    /// `2026-11-21 18:40:00`
    static func billText(_ date: Date) -> String {
        date.addingTimeInterval(28_800).formatted(style).replacing("T", with: " ")
    }

    /// `2026-11-21`
    static func day(_ date: Date) -> String { String(billText(date).prefix(10)) }

    private static let style = Date.ISO8601FormatStyle.iso8601.year().month().day().dateSeparator(.dash)
        .dateTimeSeparator(.standard).time(includingFractionalSeconds: false).timeSeparator(.colon)
}
