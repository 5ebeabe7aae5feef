/// The object id of a PostgreSQL data type.
package struct PostgresType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let bool = Self(rawValue: 16)
    package static let bytea = Self(rawValue: 17)
    package static let name = Self(rawValue: 19)
    package static let int8 = Self(rawValue: 20)
    package static let int2 = Self(rawValue: 21)
    package static let int4 = Self(rawValue: 23)
    package static let text = Self(rawValue: 25)
    package static let json = Self(rawValue: 114)
    package static let float4 = Self(rawValue: 700)
    package static let float8 = Self(rawValue: 701)
    package static let unknown = Self(rawValue: 705)
    package static let bpchar = Self(rawValue: 1042)
    package static let varchar = Self(rawValue: 1043)
    package static let date = Self(rawValue: 1082)
    package static let timestamp = Self(rawValue: 1114)
    package static let timestamptz = Self(rawValue: 1184)
    package static let uuid = Self(rawValue: 2950)
    package static let jsonb = Self(rawValue: 3802)

    /// The type of a one-dimensional array of this type, for the types this binding sends; `unknown` for others.
    package var array: Self {
        switch self {
        case .bool: Self(rawValue: 1000)
        case .bytea: Self(rawValue: 1001)
        case .int2: Self(rawValue: 1005)
        case .int4: Self(rawValue: 1007)
        case .text: Self(rawValue: 1009)
        case .int8: Self(rawValue: 1016)
        case .float8: Self(rawValue: 1022)
        case .date: Self(rawValue: 1182)
        case .timestamptz: Self(rawValue: 1185)
        case .uuid: Self(rawValue: 2951)
        case .jsonb: Self(rawValue: 3807)
        default: .unknown
        }
    }
}
