package import Billing
package import Foundation
package import Storage

/// The addresses of the dashboard's pages; every link in a template is one of these.
package enum DashboardPath {
    package static let home = "/dashboard"
    package static let orders = "/dashboard/orders"
    package static let refunds = "/dashboard/refunds"
    package static let notifications = "/dashboard/notifications"
    package static let find = "/dashboard/find"
    package static let views = "/dashboard/views"
    /// The choice of a list's columns.
    package static let columns = "/dashboard/columns"
    package static let exports = "/dashboard/exports"
    package static let customers = "/dashboard/customers"
    /// The customers who have nearly used up a limit.
    package static let nearLimits = "/dashboard/near-limits"
    package static let subscriptions = "/dashboard/subscriptions"
    package static let seats = "/dashboard/seats"
    package static let signIn = "/dashboard/sign-in"
    /// The second step of signing in.
    package static let signInCode = "/dashboard/sign-in/code"
    /// Setting a password with a one-time link.
    package static let welcome = "/dashboard/welcome"
    package static let help = "/dashboard/help"
    package static let audit = "/dashboard/audit"
    package static let auditExports = "/dashboard/audit/exports"
    package static let staff = "/dashboard/staff"
    package static let invitation = "/dashboard/staff/invitation"
    package static let identity = "/dashboard/identity"
    /// Everybody's keys to the admin API.
    package static let staffKeys = "/dashboard/staff/keys"
    package static let account = "/dashboard/account"
    /// One's own keys to the admin API.
    package static let accountKeys = "/dashboard/account/keys"
    package static let accountPassword = "/dashboard/account/password"
    package static let twoFactor = "/dashboard/account/two-factor"
    package static let twoFactorCode = "/dashboard/account/two-factor/code"
    package static let twoFactorRemoval = "/dashboard/account/two-factor/removal"
    package static let recoveryCodes = "/dashboard/account/recovery-codes"
    package static let endedSessions = "/dashboard/account/ended-sessions"
    package static let signOut = "/dashboard/sign-out"
    package static let preferences = "/dashboard/preferences"
    package static let app = "/dashboard/app"

    /// - Parameter from: the list to go back to, with its query.
    package static func order(_ number: String, from: String? = nil) -> String {
        "\(orders)/\(encoded(number))\(suffix(from: from))"
    }

    /// - Parameter from: the list to go back to, with its query.
    package static func refund(_ number: String, from: String? = nil) -> String {
        "\(refunds)/\(encoded(number))\(suffix(from: from))"
    }

    /// Returns the address of the form that requests a refund of an order.
    package static func refundRequest(for order: String) -> String {
        "\(orders)/\(encoded(order))/refund"
    }

    /// - Parameter from: the page to go back to, with its query.
    package static func notification(_ id: UUID, from: String? = nil) -> String {
        "\(notifications)/\(id.uuidString.lowercased())\(suffix(from: from))"
    }

    package static func auditEntry(_ id: UUID, from: String? = nil) -> String {
        "\(audit)/\(id.uuidString.lowercased())\(suffix(from: from))"
    }

    /// Returns the address of one object's own audit log.
    package static func history(of type: String, _ id: String) -> String {
        "\(audit)?type=\(encoded(type))&object=\(encoded(id))"
    }

    package static func view(_ id: SavedView.ID) -> String { "\(views)/\(id)" }
    package static func viewDeletion(_ id: SavedView.ID) -> String { "\(view(id))/delete" }
    package static func staffMember(_ id: String) -> String { "\(staff)/\(encoded(id))" }
    /// - Parameter from: the page to go back to, with its query.
    package static func customer(_ id: Customer.ID, from: String? = nil) -> String {
        "\(customers)/\(id)\(suffix(from: from))"
    }

    /// - Parameter from: the page to go back to, with its query.
    package static func subscription(_ id: Subscription.ID, from: String? = nil) -> String {
        "\(subscriptions)/\(id)\(suffix(from: from))"
    }

    /// The address that ends a member's seat of a group.
    package static func endOfSeat(_ id: SeatClaim.ID) -> String { "\(seats)/\(id)/end" }

    /// The path if it stays inside the dashboard, else nil: what comes from a query or a form must not lead elsewhere.
    package static func safe(_ path: String?) -> String? {
        guard let path, path.utf8.count <= 2_000, path.utf8.starts(with: home.utf8) else { return nil }
        let rest = path.utf8.dropFirst(home.utf8.count)
        guard rest.isEmpty || rest.first == slash || rest.first == questionMark else { return nil }
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        let file = path.utf8.prefix { $0 != questionMark && $0 != UInt8(ascii: "#") }
        // The first part is what stands before the leading slash: nothing.
        let parts = file.split(separator: slash, omittingEmptySubsequences: false).dropFirst()
        return parts.contains { $0.elementsEqual("..".utf8) } || parts.dropLast().contains(where: \.isEmpty)
            ? nil : path
    }

    private static let slash = UInt8(ascii: "/")
    private static let questionMark = UInt8(ascii: "?")

    /// `?from=…`, or nothing.
    package static func suffix(from: String?) -> String {
        from.map { "?from=\(encoded($0))" } ?? ""
    }

    /// One component of a URL: everything but the unreserved characters of RFC 3986, section 2.3, is encoded.
    package static func encoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        case _: false
        }
    }
}
