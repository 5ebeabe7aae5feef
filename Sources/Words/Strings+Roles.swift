package import Storage

extension Strings {
    package func name(of role: StaffRole) -> StaticString {
        switch role {
        case .admin: frameRoleAdmin
        case .support: frameRoleSupport
        case .analyst: frameRoleAnalyst
        }
    }
}
