import Foundation
import Operations
import Server
import Testing

@Suite("Misspelt settings") struct UnknownKeysTests {
    @Test(
        "an unknown key is named with its line and the nearest one that is known, at every depth",
        arguments: [
            ("rank: 1", "ranc: 1", "plans[1].ranc is no setting (the nearest is rank)"),
            ("name: Shop", "name: Shop\ncheckout: 5", "checkout is no setting (the nearest is checkoutMinutes)"),
            (
                "name: Shop", "name: Shop\nrefunds: { selfAprovalLimit: \"5\" }",
                "refunds.selfAprovalLimit is no setting"
            ),
            (
                "name: Shop",
                "name: Shop\nconsumption: { rules: [ { name: a, answer: DECLINE, ageInDays: { form: 1 } } ] }",
                "consumption.rules[0].ageInDays.form is no setting (the nearest is from)"
            ),
            (
                "name: Shop", "name: Shop\nstores: { google: { fee: { firstYear: \"15\" } } }",
                "stores.google.fee is no setting (the nearest is fees)"
            ),
            (
                "name: Shop",
                "name: Shop\nstores: { google: { fees: { storefronts: { CHN: [ { form: 1, firstYear: \"15\" } ] } } } }",
                "stores.google.fees.storefronts.CHN[0].form is no setting"
            ),
            (
                "name: Shop", "name: Shop\nstores: { google: { identifier: a, settings: { push.audiance: b } } }",
                "is no setting (the nearest is push.audience)"
            ),
            (
                "name: Shop", "name: Shop\nstores: { wechat: { identifier: a, secrets: { appsecret: file:x } } }",
                "stores.wechat.secrets.appsecret is no setting (the nearest is appSecret)"
            ),
            ("name: Shop", "name: Shop\nxyzzyplugh: 1", "xyzzyplugh is no setting (known here are app, apple, "),
            ("name: Shop", "name: Shop\nname: Shop", "name is there twice."),
            (
                "name: Shop", "name: Shop\nrefunds: { requestExpiresAfterDays: 1, requestExpiresAfterDays: 2 }",
                "is there twice."
            ),
        ]
    )
    func unknown(_ instead: String, _ written: String, _ told: String) throws {
        let text = CatalogFileTests.shop.replacingOccurrences(of: instead, with: written)
        #expect(text != CatalogFileTests.shop)
        let error = #expect(throws: OperationsError.self) { _ = try CatalogFileTests.read(text) }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains(told) == true, "\(error?.message ?? "")")
    }

    @Test("all of a file are said at once, each with its line")
    func together() {
        let text = CatalogFileTests.shop + "\ncheckout: 1\nrefund: {}\n"
        let lines = text.components(separatedBy: "\n")
        let error = #expect(throws: OperationsError.self) { _ = try CatalogFileTests.read(text) }
        for key in ["checkout", "refund"] {
            let line = (lines.firstIndex { $0.hasPrefix("\(key):") } ?? -9) + 1
            #expect(error?.message.contains(".yaml:\(line): \(key) is no setting") == true, "\(error?.message ?? "")")
        }
        #expect(error?.field == "checkout" && error?.message.contains("\n") == false)
    }

    @Test("a mapping that is taken in by YAML's merge key is looked at like the one that takes it in")
    func merged() throws {
        let good = "\ntrial: &t { plan: PRO, period: P7D }\n"
        _ = try CatalogFileTests.read(CatalogFileTests.shop + good)
        let text = CatalogFileTests.shop + "\ntrial: { <<: { plam: PRO }, plan: PRO, period: P7D }\n"
        let error = #expect(throws: OperationsError.self) { _ = try CatalogFileTests.read(text) }
        #expect(
            error?.message.contains("trial.<<.plam is no setting (the nearest is plan)") == true,
            "\(error?.message ?? "")"
        )
    }

    @Test("a variable that nothing reads is named, with the nearest that is read")
    func variables() {
        let environment = [
            "PERENNIAL_PORT": "1", "PERENNIAL_PROT": "2", "PERENNIAL_PYTHON": "p", "PATH": "x",
            "PERENNIAL_QUUX_FROB": "",
        ]
        #expect(
            UnknownVariable.all(in: environment).map(\.description) == [
                "nothing reads PERENNIAL_PROT; the nearest is PERENNIAL_PORT", "nothing reads PERENNIAL_QUUX_FROB",
            ]
        )
    }

    @Test(
        "a variable in another case, or whose beginning is misspelt, is named, too",
        arguments: [
            ("perennial_port", "PERENNIAL_PORT"), ("Perennial_Secret", "PERENNIAL_SECRET"),
            ("PERENNIAL_port", "PERENNIAL_PORT"), ("PERENIAL_SECRET", "PERENNIAL_SECRET"),
            ("PERRENNIAL_STATE", "PERENNIAL_STATE"), ("PERENNIAL-PORT", "PERENNIAL_PORT"),
            ("PERENNIAL_DATABASE_URI", "PERENNIAL_DATABASE_URL"), ("PERENNIAL_", nil),
        ]
    )
    func misspelt(_ name: String, _ nearest: String?) {
        let found = UnknownVariable.all(in: [name: "1"])
        #expect(found.map(\.name) == [name] && found.first?.nearest == nearest)
    }

    @Test(
        "a variable of another program is none of ours",
        arguments: ["PERENNIAL", "PERL_LIB", "DECENNIAL_X", "_", ""]
    )
    func others(_ name: String) {
        #expect(UnknownVariable.all(in: [name: "1"]).isEmpty)
    }

    @Test("every variable that the sources name is known")
    func named() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /PERENNIAL_[A-Z_]*[A-Z]/) { names.insert(String(match.output)) }
        }
        #expect(names.count > 15)
        let unknown = UnknownVariable.all(in: Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
        #expect(unknown.isEmpty, "\(unknown)")
    }
}
