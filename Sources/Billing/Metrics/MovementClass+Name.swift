extension MovementClass {
    /// The name in URLs and files.
    package var name: String {
        switch self {
        case .new: "new"
        case .reactivation: "reactivation"
        case .expansion: "expansion"
        case .contraction: "contraction"
        case .churned: "churned"
        case .moved: "moved"
        }
    }
}
