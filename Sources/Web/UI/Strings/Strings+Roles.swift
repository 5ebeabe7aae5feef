import Storage

extension Strings {
    func name(of role: StaffRole) -> StaticString {
        switch role {
        case .admin: frameRoleAdmin
        case .support: frameRoleSupport
        case .analyst: frameRoleAnalyst
        }
    }
}
