/// An answer about metrics: it says by which definitions, whose days and as of when they are.
public protocol MetricsReport: Resource {
    var version: Int { get }
    var timeZone: String { get }
    var asOf: String? { get }
}

extension MetricsReport {
    /// The fields with which every report begins.
    static var origin: [Field<Self>] {
        [
            Field("version", { $0.version }, "Of the definitions; another version counts otherwise."),
            Field("timeZone", { $0.timeZone }, "The business time zone that its days are of."),
            Field(
                "asOf",
                { $0.asOf },
                "The numbers are as they were known at the end of this day; null for now.",
                .format("date")
            ),
        ]
    }
}
