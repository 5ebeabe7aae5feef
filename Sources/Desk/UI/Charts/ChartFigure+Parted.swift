extension ChartFigure {
    /// The most periods that a drawing and its table have together on one page: a browser takes long over more.
    static let mostTogether = 16

    /// The drawing alone or the table alone, where there are too many periods for both; each links to the other.
    ///
    /// - Parameters:
    ///   - isTable: which of the two it is to be; together they never are where that is the table.
    ///   - other: the address of the other.
    func parted(isTable: Bool, other: String) -> ChartFigure {
        guard plot != nil, let table, isTable || table.rows.count > Self.mostTogether else { return self }
        var figure = self
        figure.otherHref = "\(other)#\(heading.id)"
        if isTable {
            figure.plot = nil
            figure.legend = []
        } else {
            figure.table = nil
        }
        return figure
    }
}
