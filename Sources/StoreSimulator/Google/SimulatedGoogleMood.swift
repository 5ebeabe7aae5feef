/// A way in which the simulated Developer API answers otherwise than it should.
package enum SimulatedGoogleMood: Hashable, Sendable {
    /// Google's own error.
    case error(Int, status: String, reason: String)
    /// A page with that status.
    case page(Int)
    /// The request is carried out, and the connection closed.
    case hangUpAfterEffect
    /// The request is carried out, and the answer spoiled on its way.
    case field(FieldAnswer)
    /// Members of the subscription that are not there, such as `autoRenewEnabled` or `linkedPurchaseToken`.
    case leavingOut(Set<String>)

    /// The token's end is more than sixty days ago.
    package static let gone = error(410, status: "FAILED_PRECONDITION", reason: "purchaseTokenNoLongerValid")
    /// Not known, or not known yet.
    package static let unknown = error(404, status: "NOT_FOUND", reason: "purchaseTokenNotFound")
    /// Too many questions.
    package static let quota = error(403, status: "PERMISSION_DENIED", reason: "rateLimitExceeded")
    /// The service account has not the right.
    package static let forbidden = error(403, status: "PERMISSION_DENIED", reason: "permissionDenied")
    /// The bearer token is not taken.
    package static let unauthorized = error(401, status: "UNAUTHENTICATED", reason: "authError")
    /// Somebody else changed it meanwhile.
    package static let conflict = error(409, status: "ABORTED", reason: "conflict")
}
