import HTTPTypes
import Hummingbird
package import NIOCore

/// The largest sizes of a body, in bytes.
package enum BodyLimit {
    package static let form = 64 * 1024
    /// A form with a list of customers.
    package static let upload = 8 * 1024 * 1024
    package static let notification = 1024 * 1024
}

extension Request {
    /// The whole body; throws `.payloadTooLarge` as soon as it is known to be too large, without reading on.
    package func collectBody(limit: Int) async throws -> ByteBuffer {
        if let announced = headers[.contentLength].map({ Int($0) ?? .max }), announced > limit {
            throw WebError(.payloadTooLarge, "The body is larger than \(limit) bytes.")
        }
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw WebError(.payloadTooLarge, "The body is larger than \(limit) bytes.")
        }
    }

    /// The fields of an HTML form.
    ///
    /// - Throws: `WebError` for another media type, a body above `BodyLimit.form`, or one that is no form.
    package func form() async throws -> URLEncoded {
        guard mediaType == "application/x-www-form-urlencoded" else {
            throw WebError(.unsupportedMediaType, "This address takes forms only.")
        }
        let body = try await collectBody(limit: BodyLimit.form)
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
            throw WebError(.badRequest, "The form is not UTF-8 text.")
        }
        return try URLEncoded(text)
    }

    /// The fields of an HTML form that may send files.
    ///
    /// - Throws: `WebError` for another media type, a body above `BodyLimit.upload`, or one that is no form.
    package func formWithFiles() async throws -> URLEncoded {
        guard mediaType != "application/x-www-form-urlencoded" else { return try await form() }
        guard mediaType == "multipart/form-data",
            let boundary = MultipartForm.boundary(of: headers[.contentType])
        else { throw WebError(.unsupportedMediaType, "This address takes forms with files only.") }
        return try MultipartForm.read(try await collectBody(limit: BodyLimit.upload), boundary: boundary)
    }

    /// The media type of the body without its parameters, in lower case.
    package var mediaType: String? {
        headers[.contentType].map { header in
            header.prefix { $0 != ";" && $0 != " " }.lowercased()
        }
    }
}
