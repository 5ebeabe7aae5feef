/// Why the program itself did something that the audit log keeps; pages have words for each. Raw values are what the
/// database keeps.
package enum AuditCause: String, Sendable, CaseIterable {
    case wrongPassword = "wrong e-mail or password"
    case wrongCode = "wrong code"
    case wrongOwnPassword = "wrong password"
    case wrongOldPassword = "wrong old"
    case accountChanged = "the account changed"
    case tooManyFailures = "too many failures"
    case codeIsOwed = "the second factor is owed"
    case passwordSetAnew = "the password was set anew"
    case accountShut = "the account was shut"
}

extension AuditCause {
    /// What was typed into this field of one's own account was wrong.
    static func wrong(_ field: String) -> AuditCause {
        switch field {
        case "code": .wrongCode
        case "old": .wrongOldPassword
        default: .wrongOwnPassword
        }
    }
}
