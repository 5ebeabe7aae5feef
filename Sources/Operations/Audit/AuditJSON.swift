import Gateways

/// The values before or after an action in an audit entry: one flat object of texts.
package struct AuditJSON: Sendable {
    package let text: String

    /// - Parameter keepsAbsent: true to keep an absent value as null; otherwise it is left out.
    package init(_ values: [(String, String?)], keepsAbsent: Bool = false) {
        let members = values.compactMap { name, value -> JSON.Member? in
            guard let value else { return keepsAbsent ? JSON.Member(name: name, value: .null) : nil }
            return JSON.Member(name: name, value: .string(value))
        }
        text = String(decoding: JSON.object(members).bytes, as: UTF8.self)
    }
}
