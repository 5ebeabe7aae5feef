import HTTP
import Operations

/// One field of an action's form, with what was typed and what is wrong with it.
struct FormField: Sendable {
    let name: String
    let label: String
    let hint: String?
    let value: String
    let control: Control
    var problem: String?

    enum Control: Sendable {
        case text(autocomplete: String)
        case password(autocomplete: String)
        /// Of the second factor: digits, or letters of a recovery code.
        case code
        case number
        case date
        case area
        case file
        case select([Option])
        case radios([Option])
        /// Any number of them; `isChosen` says which.
        case checks([Option])
    }

    struct Option: Sendable {
        var value: String
        var label: String
        /// The consequence of the choice, under a radio button.
        var detail: String?
        var isChosen = false
    }

    init(
        _ name: String,
        _ label: String,
        value: String? = nil,
        hint: String? = nil,
        _ control: Control = .text(autocomplete: "off"),
        problem: String? = nil
    ) {
        self.name = name
        self.label = label
        self.hint = hint
        self.value = value ?? ""
        self.control = control
        self.problem = problem
    }

    // The template reads these.

    var id: String { "field-\(name.replacing(".", with: "-"))" }
    var isArea: Bool { if case .area = control { true } else { false } }
    var inputType: String? {
        switch control {
        case .text, .code: "text"
        case .password: "password"
        case .number: "text"
        case .date: "date"
        case .file: "file"
        case .area, .select, .radios, .checks: nil
        }
    }
    var inputMode: String? { if case .number = control { "decimal" } else { nil } }
    var autocomplete: String {
        switch control {
        case .text(let name), .password(let name): name
        case .code: "one-time-code"
        case .number, .date, .area, .file, .select, .radios, .checks: "off"
        }
    }
    var checkOptions: [Option]? { if case .checks(let options) = control { options } else { nil } }
    var selectOptions: [Option]? { if case .select(let options) = control { marked(options) } else { nil } }
    var radioOptions: [Option]? { if case .radios(let options) = control { marked(options) } else { nil } }
    /// The ids of hint and problem, for `aria-describedby`.
    var describedBy: String? {
        let ids = (hint == nil ? [] : ["\(id)-hint"]) + (problem == nil ? [] : ["\(id)-problem"])
        return ids.isEmpty ? nil : ids.joined(separator: " ")
    }

    private func marked(_ options: [Option]) -> [Option] {
        options.map { option in
            var option = option
            option.isChosen = option.value == value
            return option
        }
    }
}
