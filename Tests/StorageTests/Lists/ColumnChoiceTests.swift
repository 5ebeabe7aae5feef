import Storage
import Testing

@Suite("which columns are shown") struct ColumnChoiceTests {
    @Test("every choice of every list is written and read again as it was", arguments: ListName.allCases)
    func roundTrip(_ list: ListName) {
        for bits in 0..<(1 << list.columns.count) {
            let columns = list.columns.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element)
            let choice = ColumnChoice(columns, of: list)
            #expect(ColumnChoice(text: choice.text, of: list) == choice)
        }
    }

    @Test("none is a sign, all is a word, and the order is the list's")
    func text() {
        #expect(ColumnChoice([], of: .orders).text == "-")
        #expect(ColumnChoice(allOf: .orders).text == "all")
        #expect(ColumnChoice([.status, .amount], of: .orders).text == "amount.status")
    }

    @Test("what the list does not have falls away, and what names nothing of it is no choice")
    func unknown() {
        #expect(ColumnChoice(text: "uuid.cats.amount", of: .orders)?.columns == [.amount])
        #expect(ColumnChoice.unknown(in: "uuid.cats.amount", of: .orders) == ["uuid", "cats"])
        for text in ["all", "-", "amount.status"] { #expect(ColumnChoice.unknown(in: text, of: .orders).isEmpty) }
        for text in ["", "uuid", "cats", ".", "ALL"] { #expect(ColumnChoice(text: text, of: .orders) == nil) }
    }
}
