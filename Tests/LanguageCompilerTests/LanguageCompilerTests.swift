import Testing

@testable import LanguageCompiler

@Suite("Language files")
struct LanguageCompilerTests {
    @Test("each key becomes a property, or a function of what it leaves open")
    func accessors() throws {
        let swift = try compile([
            "en/orders.strings": """
            # A comment
            orders.title = Orders

            orders.no_match=No "order" matches {filter} in {app} \\ {filter}
            """,
            "tr/orders.strings": """
            orders.title = Siparişler
            orders.no_match = {app} içinde {filter} = yok
            """,
            "zh-Hans/orders.strings": """
              orders.title = 订单
            orders.no_match = {app}{filter}
            """,
        ])
        #expect(
            swift["orders"] == #"""
                extension Strings {
                    package var ordersTitle: StaticString { pick(en: "Orders", tr: "Siparişler", zhHans: "订单") }
                    package func ordersNoMatch(app: String, filter: String) -> String {
                        say(en: "No \"order\" matches \(isolated(filter)) in \(isolated(app)) \\ \(isolated(filter))", tr: "\(isolated(app)) içinde \(isolated(filter)) = yok", zhHans: "\(isolated(app))\(isolated(filter))")
                    }
                }

                """#
        )
    }

    @Test("a plural has the forms of each language")
    func plurals() throws {
        let swift = try compile([
            "en/orders.strings": "orders.count.one = one order in {app}\norders.count.other = {count} orders in {app}",
            "tr/orders.strings": "orders.count.one = {app}: {count}\norders.count.other = {app}: {count} sipariş",
            "zh-Hans/orders.strings": "orders.count.other = {app}有 {count} 个订单",
        ])
        #expect(
            try #require(swift["orders"]).contains(
                #"""
                    package func ordersCount(app: String, count: Int) -> String {
                        say(en: count.magnitude == 1 ? "one order in \(isolated(app))" : "\(number(count)) orders in \(isolated(app))", tr: count.magnitude == 1 ? "\(isolated(app)): \(number(count))" : "\(isolated(app)): \(number(count)) sipariş", zhHans: "\(isolated(app))有 \(number(count)) 个订单")
                    }
                """#
            )
        )
    }

    @Test(
        "a line that cannot be read is an error at its line",
        arguments: [
            ("a.title", "2:1: error: expected `key = text`"),
            ("a.title =", "2:1: error: `a.title` has no text"),
            (
                "Orders = x",
                "2:1: error: `Orders` is no key: keys are words in lower case with dots between, such as `a.title`"
            ),
            (
                "a..b = x",
                "2:1: error: `a..b` is no key: keys are words in lower case with dots between, such as `a.title`"
            ),
            (
                "a.1 = x",
                "2:1: error: `a.1` is no key: keys are words in lower case with dots between, such as `a.title`"
            ),
            ("orders.title = x", "2:1: error: the keys of this file begin with `a.`"),
            ("a.title = {x", "2:1: error: a brace belongs to a placeholder: {name}"),
            ("a.title = x}", "2:1: error: a brace belongs to a placeholder: {name}"),
            ("a.title = {}", "2:1: error: `{}` is no placeholder: its name is letters and digits"),
            ("a.title = {a b}", "2:1: error: `{a b}` is no placeholder: its name is letters and digits"),
            ("a.first = x", "2:1: error: `a.first` is defined in line 1 already"),
        ]
    )
    func unreadable(line: String, expected: String) {
        #expect(errors(in: ["en/a.strings": "a.first = 1\n\(line)"]) == ["Languages/en/a.strings:\(expected)"])
    }

    @Test(
        "every language says the same things",
        arguments: [
            // A missing key, a key too many, and a missing file.
            (
                "a.x = 1\na.y = 2", "a.y = 2",
                ["Languages/en/a.strings:1:1: error: `a.x` is missing in Languages/tr/a.strings"]
            ),
            (
                "a.x = 1", "# x\na.x = 1\na.z = 3",
                ["Languages/tr/a.strings:3:1: error: `a.z` is not in Languages/en/a.strings"]
            ),
            // Placeholders.
            (
                "a.x = {from} to {end}", "a.x = {from} ile {son}",
                [
                    "Languages/tr/a.strings:1:1: error: `a.x` has {from}, {son}, but {end}, {from} in line 1 of "
                        + "Languages/en/a.strings"
                ]
            ),
            (
                "a.x = {n}", "a.x = yok",
                [
                    "Languages/tr/a.strings:1:1: error: `a.x` has no placeholders, but {n} in line 1 of "
                        + "Languages/en/a.strings"
                ]
            ),
            // Plural forms.
            (
                "a.n.one = 1\na.n.other = {count}", "a.n.other = {count}",
                ["Languages/tr/a.strings:1:1: error: `a.n` lacks its plural form `.one`"]
            ),
            (
                "a.n.one = 1", "a.n.one = 1\na.n.other = {count}",
                ["Languages/en/a.strings:1:1: error: `a.n` lacks its plural form `.other`"]
            ),
            (
                "a.n.one = 1\na.n.other = {count}", "a.n.one = 1\na.n.other = {count}\na.n.few = {count}",
                ["Languages/tr/a.strings:3:1: error: `a.n` is plural; tr has the forms `.one` and `.other`"]
            ),
            (
                "a.n.one = {x}\na.n.other = {count} {x}", "a.n.one = 1\na.n.other = {x}",
                [
                    "Languages/tr/a.strings:1:1: error: `a.n.one` has no placeholders, but {x} in line 2 of "
                        + "Languages/en/a.strings"
                ]
            ),
            (
                "a.n = 1", "a.n.one = 1\na.n.other = 2",
                ["Languages/tr/a.strings:1:1: error: `a.n` has one form in Languages/en/a.strings"]
            ),
            (
                "a.n.one = 1\na.n.other = 2", "a.n = 2",
                ["Languages/tr/a.strings:1:1: error: `a.n` is plural in Languages/en/a.strings"]
            ),
        ]
    )
    func differences(english: String, turkish: String, expected: [String]) {
        #expect(errors(in: ["en/a.strings": english, "tr/a.strings": turkish]) == expected)
    }

    @Test("Chinese has one plural form")
    func chinese() {
        let english = "a.n.one = 1\na.n.other = {count}"
        #expect(errors(in: ["en/a.strings": english, "zh-Hans/a.strings": "a.n.other = {count}"]).isEmpty)
        #expect(
            errors(in: ["en/a.strings": english, "zh-Hans/a.strings": "a.n.one = 1\na.n.other = {count}"]) == [
                "Languages/zh-Hans/a.strings:1:1: error: `a.n` is plural; zh-Hans has the forms `.other`"
            ]
        )
    }

    @Test("an area is in every language")
    func areas() {
        #expect(
            errors(in: ["en/a.strings": "a.x = 1", "en/b.strings": "b.x = 1", "tr/a.strings": "a.x = 1"]) == [
                "Languages/en/b.strings:1:1: error: this area is missing in the language tr"
            ]
        )
        #expect(
            errors(in: ["en/a.strings": "a.x = 1", "tr/a.strings": "a.x = 1", "tr/b.strings": "b.x = 1"]) == [
                "Languages/tr/b.strings:1:1: error: this area is not in the language en"
            ]
        )
    }

    @Test("a file that is not UTF-8 is refused")
    func notUTF8() {
        let source = LanguageSource(name: "en/a.strings", path: "a", bytes: Array("a.x = ".utf8) + [0xFF])
        guard case .failure(let failure) = LanguageSet.compile([source]) else {
            Issue.record("it was read")
            return
        }
        #expect(failure.errors.map(\.description) == ["a:1:1: error: this file is not UTF-8"])
    }

    /// Returns the Swift of each area.
    private func compile(_ files: [String: String]) throws(LanguageErrors) -> [String: String] {
        let areas = try LanguageSet.compile(Self.sources(files)).get()
        return Dictionary(uniqueKeysWithValues: areas.map { ($0.area, $0.swift) })
    }

    private func errors(in files: [String: String]) -> [String] {
        do throws(LanguageErrors) {
            _ = try compile(files)
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    private static func sources(_ files: [String: String]) -> [LanguageSource] {
        files.sorted { $0.key < $1.key }.map { name, text in
            LanguageSource(name: name, path: "Languages/\(name)", bytes: Array(text.utf8))
        }
    }
}
