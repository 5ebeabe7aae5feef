import Operations
import Testing

@Suite("Reasons") struct ReasonTests {
    @Test(
        "each thing that is wrong is named by field",
        arguments: [
            ("", "", ["category", "reason"]),
            ("nonsense", "long enough to be one", ["category"]),
            ("goodwill", "too short", ["reason"]),
            ("goodwill", "         x         ", ["reason"]),
            ("goodwill", String(repeating: "长", count: 501), ["reason"]),
        ]
    )
    func refused(_ category: String, _ text: String, _ fields: [String]) {
        let error = #expect(throws: OperationsError.self) { try Reason(category: category, text: text) }
        #expect(error?.code == .invalid)
        #expect(error?.problems.map(\.field) == fields)
    }

    @Test(
        "characters are counted as they are read, and white space around does not count",
        arguments: [
            "客户误买了年度订阅，当天来信", "  exactly ten", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", String(repeating: "长", count: 500),
        ]
    )
    func accepted(_ text: String) throws {
        let reason = try Reason(category: "goodwill", text: text + "\n ")
        #expect(reason.text == text.drop { $0 == " " })
        #expect(reason.forAudit == "goodwill: \(reason.text)")
    }
}
