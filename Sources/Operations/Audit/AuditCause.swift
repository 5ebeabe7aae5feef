/// The cause of an audited action of the program itself; pages have a text for each. The database keeps the raw values.
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
    /// The cause for a wrong value in this field of the person's own account.
    static func wrong(_ field: String) -> AuditCause {
        switch field {
        case "code": .wrongCode
        case "old": .wrongOldPassword
        default: .wrongOwnPassword
        }
    }
}
