import Billing
import Storage
import Testing

@Suite("Languages") struct LanguageTests {
    @Test("a catalogue speaks the languages of the product")
    func languages() {
        #expect(LocalizedText.languages.sorted() == Language.allCases.map(\.rawValue).sorted())
    }
}
