import Billing
import Foundation
import HTTP
import Operations
import Storage

extension APIRequest: PersonalDataReader {
    /// Returns true if the owner's role and the token's scopes allow something beyond the route's own permission.
    func may(_ permission: Permission) -> Bool {
        token.role.may(permission) && token.has(permission.terms.scope)
    }

    var seesPersonalData: Bool { may(.viewPersonalData) }

    /// The app's business time zone.
    var zone: TimeZone { token.timeZone.flatMap { TimeZone(identifier: $0) } ?? .gmt }

    /// Returns the customer that a part of the path names.
    func customer(_ name: String) throws -> Customer.ID {
        guard let id = Customer.ID(try parameter(name)) else { throw Self.noCustomer }
        return id
    }

    static var noCustomer: WebError { WebError(.notFound, "There is no such customer.") }
}
