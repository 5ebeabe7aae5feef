import HTTP
import Storage

/// The name of a customer, as far as the viewer may know it.
struct PersonText: Sendable {
    /// The name, else the e-mail address, else the key.
    var name: String
    /// The e-mail address below a name.
    var detail: String?
    /// Known by key alone.
    var isKey: Bool

    init(_ customer: OrderDetails.Customer, _ viewer: Viewer) {
        let (known, email) = (customer.name?.shown(to: viewer), customer.email?.shown(to: viewer))
        name = known ?? email ?? customer.key
        detail = known == nil ? nil : email
        isKey = known == nil && email == nil
    }
}
