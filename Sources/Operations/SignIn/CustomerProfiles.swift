package import Billing
import Foundation
package import Storage

/// A customer, who may read what is known of themselves.
package struct DataSubject: PersonalDataReader {
    package let seesPersonalData = true

    package init() {}
}

/// A customer's own profile data, which replaces the known data.
package struct ProfileRequest: Sendable {
    let name: Personal<String>
    let email: Personal<String>?
    let avatarURL: Personal<String>?

    /// In characters, as the lightgallery document's table has it.
    package static let longestName = 255
    /// In bytes (RFC 5321, 4.5.3.1.3).
    package static let longestEmail = 254
    package static let longestAvatarURL = 2_048

    /// - Throws: `OperationsError` with `.invalid` that names each field at fault: `displayName`, `email`, `avatarURL`.
    package init(displayName: String?, email: String?, avatarURL: String?) throws {
        let name = displayName.map(Self.trimmed) ?? ""
        let (email, avatarURL) = (email.map(Self.trimmed) ?? "", avatarURL.map(Self.trimmed) ?? "")
        var problems: [FieldProblem] = []
        if let problem = Self.problem(ofName: name) { problems.append(FieldProblem("displayName", problem)) }
        if let problem = Self.problem(ofEmail: email) { problems.append(FieldProblem("email", problem)) }
        if let problem = Self.problem(ofAddress: avatarURL) { problems.append(FieldProblem("avatarURL", problem)) }
        guard problems.isEmpty else { throw OperationsError(problems: problems) }
        self.name = Personal(name)
        self.email = email.isEmpty ? nil : Personal(email)
        self.avatarURL = avatarURL.isEmpty ? nil : Personal(avatarURL)
    }

    /// The problem with a customer's display name; nil if there is none.
    package static func problem(ofName name: String) -> FieldProblem.Kind? {
        if name.isEmpty { return .missing }
        // A character can be many bytes; nobody's name needs more.
        if name.count > longestName || name.utf8.count > 4 * longestName { return .tooLong(longestName) }
        guard name.unicodeScalars.contains(where: isControl) else { return nil }
        return .other("Line breaks and control characters are not part of a name.")
    }

    private static func problem(ofEmail email: String) -> FieldProblem.Kind? {
        if email.isEmpty { return nil }
        if email.utf8.count > longestEmail { return .tooLong(longestEmail) }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        let isAddress = parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !email.contains(where: \.isWhitespace)
        guard isAddress, !email.unicodeScalars.contains(where: isControl) else {
            return .other("This is not an e-mail address.")
        }
        return nil
    }

    private static func problem(ofAddress address: String) -> FieldProblem.Kind? {
        if address.isEmpty { return nil }
        if address.utf8.count > longestAvatarURL { return .tooLong(longestAvatarURL) }
        guard !address.contains(where: \.isWhitespace), !address.unicodeScalars.contains(where: isControl),
            let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
            url.host()?.isEmpty == false
        else { return .other("This is not an http or https address.") }
        return nil
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}

extension BackOffice {
    /// A customer's profile, read from the primary so that it includes their latest change.
    ///
    /// - Returns: nil if the app has no such customer, or no longer.
    package func profile(of customer: Customer.ID, app: App.ID) async throws -> CustomerProfile? {
        try await database.readPrimary { try await $0.profile(of: customer, app: app) }
    }

    /// Replaces what a customer shows of themselves.
    ///
    /// - Throws: `OperationsError` with `.notFound` where the app has no such customer, or no longer.
    package func setProfile(_ request: ProfileRequest, of customer: Customer.ID, app: App.ID) async throws {
        let isThere = try await database.write { transaction in
            let customer = try await transaction.customers.current(customer)
            return try await transaction.customers.setProfile(
                name: request.name,
                email: request.email,
                avatarURL: request.avatarURL,
                of: customer,
                app: app
            )
        }
        guard isThere else { throw OperationsError(.notFound, "There is no such customer.") }
    }
}
