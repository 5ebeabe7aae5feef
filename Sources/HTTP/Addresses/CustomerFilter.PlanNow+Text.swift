import Storage

extension CustomerFilter.PlanNow {
    /// `none` stands for no plan; a plan of that very code would be `=none`.
    package init?(text: String) {
        guard !text.isEmpty, text.utf8.count <= 100 else { return nil }
        self = text == "none" ? .noAccess : .plan(code: text.hasPrefix("=") ? String(text.dropFirst()) : text)
    }

    package var text: String {
        switch self {
        case .noAccess: "none"
        case .plan(let code): code == "none" || code.hasPrefix("=") ? "=\(code)" : code
        }
    }
}
