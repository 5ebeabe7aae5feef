/// The groups of one customer (Get Customer Groups).
package struct AppleGroups: Hashable, Sendable {
    package let groups: [Group]
    /// The errors of groups that cannot be read.
    package let unreadable: [String]

    package struct Group: Hashable, Sendable {
        package let id: String
        /// ORGANIZATION, CONSUMER, or what Apple adds later.
        package let rawType: String
        package let roles: [Role]
    }

    /// A person's role in an organization, for one product.
    package struct Role: Hashable, Sendable {
        package let productID: String
        /// NONE, ADMIN, or what Apple adds later.
        package let rawRole: String
    }

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        let (groups, unreadable) = try fields.readable("groups", of: "group") { group throws(GatewayError) in
            Group(
                id: try group.required("groupId"),
                rawType: try group.required("groupType"),
                roles: try group.list("roles", of: "role") { role throws(GatewayError) in
                    Role(productID: try role.required("productId"), rawRole: try role.required("role"))
                }
            )
        }
        // Of who is in none, the sandbox makes one up.
        self.groups = groups.filter { $0.id != "900000000000000000" }
        self.unreadable = unreadable
    }
}

/// A page of a group's members (Get Group Members).
package struct AppleGroupMembers: Hashable, Sendable, ApplePage {
    package let appTransactionIDs: [String]
    /// The errors of members that cannot be read.
    package let unreadable: [String]
    package let hasMore: Bool
    package let following: String?

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        let (members, unreadable) = try fields.readable("members", of: "member") { member throws(GatewayError) in
            try member.required("appTransactionId")
        }
        // The member of the group that the sandbox makes up.
        appTransactionIDs = members.filter { $0 != "700000000000000000" }
        self.unreadable = unreadable
        hasMore = try fields.bool("hasMore") ?? false
        following = try fields.string("paginationToken")
    }
}

/// The seats of a group (Get Seat Info). It may name more claims than there are seats: fewer were renewed.
package struct AppleSeatInfo: Hashable, Sendable {
    package let total: Int
    package let available: Int
    package let claimIDs: [String]

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        guard let total = fields.value("totalSeatCount").flatMap(Int.init(seats:)),
            let available = fields.value("availableSeatCount").flatMap(Int.init(seats:)),
            let claimIDs = try fields.strings("assignedSeatClaimIds")
        else { throw GatewayError(.malformed, "The answer does not say how many seats there are and who has them.") }
        self.total = total
        self.available = available
        self.claimIDs = claimIDs.map { $0.lowercased() }
    }
}

/// A seat that was claimed (Claim Seat).
package struct AppleSeatClaim: Hashable, Sendable {
    package let id: String

    init(_ json: JSON) throws(GatewayError) {
        id = try JSONFields(json, of: "answer").required("seatClaimId").lowercased()
    }
}
