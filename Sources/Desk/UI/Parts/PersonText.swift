import HTTP
import Storage

/// What to call a customer, as far as the viewer may know.
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
