import APITypes
import HTTP
import Words

/// `/docs`: how the API is called, all its operations, and what its errors mean.
struct APIReferencePage: Sendable {
    let strings: Strings
    let frame: APIReferenceFrame
    let description = MarkedText(APIDocument.description)
    let errors = ErrorAnswer.allCases.map(ErrorRow.init)
    /// The fields of an error's body.
    let problem: OperationText.FieldList

    struct ErrorRow: Sendable {
        let id: String
        let status: Int
        let name: String
        let meaning: MarkedText
    }

    init(strings: Strings, frame: APIReferenceFrame) {
        self.strings = strings
        self.frame = frame
        problem = OperationText.FieldList(
            Problem.schema,
            titled: strings.referenceProblem.description,
            isAnswered: true,
            strings
        )
    }
}

extension APIReferencePage.ErrorRow {
    fileprivate init(_ error: ErrorAnswer) {
        self.init(
            id: "error-\(error.rawValue)",
            status: error.rawValue,
            name: error.name,
            meaning: MarkedText(error.meaning)
        )
    }
}
