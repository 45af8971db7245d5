import Answers
import Client
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import Setup

/// Returns a JSON answer.
func reply(
    _ status: HTTPResponse.Status,
    _ value: some Encodable,
    _ context: APIContext
) throws -> Response {
    reply(status, json: ByteBuffer(bytes: try context.responseEncoder.encode(value)))
}

/// Returns a response whose body is already JSON.
func reply(_ status: HTTPResponse.Status, json: ByteBuffer) -> Response {
    Response(
        status: status,
        headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: json)
    )
}

extension Request {
    /// Returns the body, decoded from JSON, and overwrites its bytes: it may hold a password.
    ///
    /// The copies in the decoder and the connection cannot be overwritten from here.
    ///
    /// - Throws: `DecodingError`, which names the field at fault; ``Refusal`` for another type of
    ///   body.
    func read<Value: Decodable & Sendable>(_ context: APIContext) async throws -> Value {
        try checkIsJSON()
        var body = try await body.collect(upTo: context.maxUploadSize)
        var data = Data(body.readableBytesView)
        defer {
            data.resetBytes(in: data.startIndex..<data.endIndex)
            unsafe body.withUnsafeMutableReadableBytes { bytes in
                for index in bytes.indices { unsafe bytes[index] = 0 }
            }
        }
        try Self.checkIsText(body)
        try BodyShape.of("\(Value.self)")?.check(data)
        return try context.requestDecoder.decode(Value.self, from: data)
    }

    /// Refuses a body that is not UTF-8, as JSON must be; the decoder would guess other encodings.
    ///
    /// Also refuses one with long runs of combining marks, before anything compares its texts.
    ///
    /// Source: RFC 8259, section 8.1.
    private static func checkIsText(_ body: ByteBuffer) throws(Refusal) {
        do { try UTF8Text.check(body.readableBytesView) } catch {
            throw Refusal(.malformedJSON, forPrograms: "The body \(error).")
        }
        guard MarkRuns.areShort(in: body.readableBytesView) else {
            throw .tooManyMarks("refusal.marksInBody")
        }
    }

    private func checkIsJSON() throws(Refusal) {
        if let type = headers[.contentType], !type.lowercased().hasPrefix("application/json") {
            throw Refusal(
                .unsupportedMediaType,
                forPrograms: "Send JSON, with 'Content-Type: application/json'."
            )
        }
    }

    /// Returns the caller's idempotency key, by which a repeat of the call is recognised.
    ///
    /// Source: IETF draft "The Idempotency-Key HTTP Header Field".
    ///
    /// - Throws: ``Refusal`` if it is missing or longer than 64 characters.
    func idempotencyKey() throws(Refusal) -> String {
        guard let name = HTTPField.Name("Idempotency-Key"), let key = headers[name],
            (1...64).contains(key.utf8.count)
        else {
            throw Refusal(
                .keyNeeded,
                forPrograms:
                    "Send 'Idempotency-Key' with 1 to 64 characters of your choice, so that a repeat "
                    + "of this call cannot do it twice."
            )
        }
        return key
    }
}

extension Refusal {
    /// The refusal of a text with long runs of marks; `sentence` is the code for the text.
    static func tooManyMarks(_ sentence: String) -> Refusal {
        Refusal(.malformedValue, Sentence(sentence, ["most": "\(MarkRuns.lengthMax)"]))
    }
}
