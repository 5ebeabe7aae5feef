/// The columns of a list that are shown.
package struct ColumnChoice: Hashable, Sendable {
    package let list: ListName
    package let columns: Set<ListColumn>

    /// - Parameter columns: columns that the list does not have are left out.
    package init(_ columns: some Sequence<ListColumn>, of list: ListName) {
        self.list = list
        self.columns = Set(columns).intersection(list.columns)
    }

    /// Every column.
    package init(allOf list: ListName) {
        self.init(list.columns, of: list)
    }

    /// - Parameter text: names with a point between them, `all`, or `-` for none; what the list does not have falls away,
    ///   and nil is what names nothing of it.
    package init?(text: String, of list: ListName) {
        switch text {
        case "all": self.init(allOf: list)
        case "-": self.init([], of: list)
        default:
            self.init(text.split(separator: ".").compactMap { ListColumn(rawValue: String($0)) }, of: list)
            if columns.isEmpty { return nil }
        }
    }

    /// The names in a text that the list does not have; none where the text names no columns one by one.
    package static func unknown(in text: String, of list: ListName) -> [String] {
        guard text != "all", text != "-" else { return [] }
        return text.split(separator: ".").map(String.init).filter { name in
            ListColumn(rawValue: name).map { !list.columns.contains($0) } ?? true
        }
    }

    /// As addresses and the database have it.
    package var text: String {
        guard columns.count < list.columns.count else { return "all" }
        let names = list.columns.filter(columns.contains).map(\.rawValue)
        return names.isEmpty ? "-" : names.joined(separator: ".")
    }
}
