import APITypes
import HTTP
import HTTPTypes
import Storage
import Words

/// An operation as the reference shows it.
struct OperationText: Sendable {
    /// The anchor: the operation's id.
    let id: String
    let method: String
    let path: String
    let summary: String
    let meaning: MarkedText?
    /// The token that it takes.
    let token: String
    let parameters: FieldList?
    let body: FieldList?
    let status: String
    let answerMeaning: MarkedText
    let hasLocation: Bool
    let answer: FieldList?
    let errors: [ErrorLink]
    let curl: String
    /// The text of the button that copies it.
    let copyLabel: String

    /// A table of fields.
    struct FieldList: Sendable {
        let title: String
        let fields: [FieldText]
    }

    struct ErrorLink: Sendable {
        let status: Int
        let name: String
        let href: String
    }

    init(_ route: DescribedRoute, origin: String, _ strings: Strings) {
        let operation = route.operation
        id = operation.id
        method = route.method.rawValue
        path = route.path
        summary = operation.summary
        meaning = operation.meaning.map(MarkedText.init)
        token = Self.token(of: route, strings)
        let taken = route.parameters.map { FieldText($0, strings) }
        let titles = (
            strings.referenceParametersOf(operation: operation.id), strings.referenceBodyOf(operation: operation.id),
            strings.referenceAnswerOf(operation: operation.id)
        )
        parameters = taken.isEmpty ? nil : FieldList(title: titles.0, fields: taken)
        body = (operation.body?.schema).map { FieldList($0, titled: titles.1, isAnswered: false, strings) }
        status = "\(operation.answer.status.code)"
        answerMeaning = MarkedText(operation.answer.meaning)
        hasLocation = operation.answer.hasLocation
        answer = operation.answer.schema.map { FieldList($0, titled: titles.2, isAnswered: true, strings) }
        errors = route.errors.map { error in
            ErrorLink(status: error.rawValue, name: error.name, href: SitePath.reference(of: error))
        }
        curl = CurlCommand(route, origin: origin).text
        copyLabel = strings.referenceCopy(operation: operation.id)
    }

    private static func token(of route: DescribedRoute, _ strings: Strings) -> String {
        switch route.access {
        case .open: strings.referenceNoToken.description
        case .customer: strings.referenceCustomerToken.description
        case .appServer(let scope): "\(strings.referenceAppKey) (\(scope.rawValue))"
        case .store, .operatorOnly, .signedIn, .staff, .token: strings.referenceStaffToken.description
        }
    }
}

extension OperationText.FieldList {
    /// The fields of a schema.
    init(_ schema: JSONSchema, titled title: String, isAnswered: Bool, _ strings: Strings) {
        self.init(
            title: title,
            fields: SchemaField.list(of: schema).map { FieldText($0, isAnswered: isAnswered, strings) }
        )
    }
}
