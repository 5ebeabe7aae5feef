import Gateways

/// What an audit entry keeps of before and after: one flat object of texts.
package struct AuditJSON: Sendable {
    package let text: String

    /// - Parameter keepsAbsent: whether a value that is absent is kept as null; else it is left out.
    package init(_ values: [(String, String?)], keepsAbsent: Bool = false) {
        let members = values.compactMap { name, value -> JSON.Member? in
            guard let value else { return keepsAbsent ? JSON.Member(name: name, value: .null) : nil }
            return JSON.Member(name: name, value: .string(value))
        }
        text = String(decoding: JSON.object(members).bytes, as: UTF8.self)
    }
}
