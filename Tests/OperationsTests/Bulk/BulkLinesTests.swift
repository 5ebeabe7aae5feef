import Operations
import Testing

@Suite("Lists of customers") struct BulkLinesTests {
    @Test("lines are read from pasted text and from CSV files")
    func lines() {
        #expect(BulkLines("a\nb\r\n\n c \n").customers == ["a", "b", "c"])
        let file = BulkLines("\u{FEFF}email,name\r\n\"a@b.c\",\"Ada, \"\"Countess\"\"\"\r\nd@e.f,x\n")
        #expect(file.customers == ["a@b.c", "d@e.f"] && file.problem == nil)
        #expect(BulkLines("\"x \"\"1\"\"\"\nx \"2\"").customers == ["x \"1\"", "x \"2\""])
        #expect(BulkLines("customer\nu;-1\n").customers == ["u;-1"])
        #expect(BulkLines("").customers.isEmpty && BulkLines("").problem == nil)
    }

    @Test(
        "commas, semicolons and tabs separate, also where a spreadsheet says so in a first line",
        arguments: [",", ";", "\t"]
    )
    func separators(_ mark: String) {
        let text = "line\(mark)input\(mark)customer_id\n1\(mark)\"x\(mark)y\"\(mark)\n2\(mark)b\(mark)c\n"
        #expect(BulkLines(text).customers == ["x\(mark)y", "c"])
        #expect(BulkLines("sep=\(mark)\r\n" + text).customers == ["x\(mark)y", "c"])
    }

    @Test("the apostrophe of the export comes back with the import")
    func apostrophes() {
        let text = "external_id\n'+905550001122\n'-77\n'@ada\n'=a1\n'007\n'1E5\n'ada\n''=b\n"
        #expect(
            BulkLines(text).customers == ["+905550001122", "-77", "@ada", "=a1", "007", "1E5", "'ada", "'=b"]
        )
    }

    @Test("a job's own result is never read by its line numbers")
    func result() {
        let header = "line,input,customer_id,result,reason,plan_before,until_before,plan_after,until_after"
        let read = BulkLines(
            "\(header)\r\n1,\"ada\",01931f3a-7000-7000-8000-000000000030,applied,,,,,\r\n2,\"bo\",,not_found,,,,,\r\n"
        )
        #expect(read.customers == ["01931f3a-7000-7000-8000-000000000030", "bo"])
        #expect(BulkLines("1,\"ada\",x\r\n2,\"bo\",\r\n").problem == .noCustomerColumn)
    }

    @Test(
        "what cannot be meant is refused by its name",
        arguments: [
            ("email,plan_code\na@b.c,PRO", .unknownColumn("plan_code")), ("email;e;email\na;b;c", .unknownColumn("e")),
            ("email,email\na,b", .repeatedColumn("email")), ("first,last\nAda,Byron", .noCustomerColumn),
            ("customer\n\nada\n2.00000079657E+15", .shortenedNumber("2.00000079657E+15", line: 4)),
            ("2,0E+15\n1E5", .noCustomerColumn), ("\"2,0E+15\"\n1E5", .shortenedNumber("2,0E+15", line: 1)),
        ] as [(String, FieldProblem.Kind)]
    )
    func refused(_ text: String, _ problem: FieldProblem.Kind) {
        let read = BulkLines(text)
        #expect(read.problem == problem && read.customers.isEmpty)
    }
}
