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

/// Returns a preview, which also warns of a clock that differs from others.
func reply(_ preview: ActionPreview, _ context: APIContext) async throws -> Response {
    var preview = preview
    preview.warnings += [await context.clockWatch.comparison().warning].compactMap(\.self)
    return try reply(.ok, preview, context)
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
    /// Returns the body, decoded from JSON.
    ///
    /// - Throws: `DecodingError`, which names the field at fault; ``Refusal`` for another type of
    ///   body.
    func read<Value: Decodable & Sendable>(_ context: APIContext) async throws -> Value {
        try checkIsJSON()
        let body = try await body.collect(upTo: context.maxUploadSize)
        try Self.checkIsText(body)
        let data = Data(body.readableBytesView)
        try BodyShape.of("\(Value.self)")?.check(data)
        return try context.requestDecoder.decode(Value.self, from: data)
    }

    /// As ``read(_:)``, for a body with a password or a phrase; overwrites its bytes.
    ///
    /// The copies in the decoder and the connection cannot be overwritten from here.
    func readSecret<Value: Decodable & Sendable>(_ context: APIContext) async throws -> Value {
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
            throw Refusal(.malformedJSON, "The body \(error).")
        }
        guard MarkRuns.areShort(in: body.readableBytesView) else {
            throw .tooManyMarks(in: "The body")
        }
    }

    private func checkIsJSON() throws(Refusal) {
        if let type = headers[.contentType], !type.lowercased().hasPrefix("application/json") {
            throw Refusal(
                .unsupportedMediaType,
                "Send JSON, with 'Content-Type: application/json'."
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
                "Send 'Idempotency-Key' with 1 to 64 characters of your choice, so that a repeat "
                    + "of this call cannot do it twice."
            )
        }
        return key
    }

    /// The maximum fees, in wei, as the query's `feeMax` says.
    var feeMax: String? { uri.queryParameters["feeMax"].map(String.init) }

    /// Returns a number in the query, as ``Parameters/number(_:default:in:)``.
    func number(
        _ name: String,
        default standard: Int,
        in range: ClosedRange<Int>
    ) throws(Refusal) -> Int {
        try uri.queryParameters.number(name, default: standard, in: range)
    }

    /// Returns a flag in the query, as ``Parameters/flag(_:)``.
    func flag(_ name: String) throws(Refusal) -> Bool { try uri.queryParameters.flag(name) }
}

/// The parameters of a query; a call that reads several parses the query once.
extension Parameters {
    /// Returns a parameter's text.
    func text(_ name: String) -> String? { self[name[...]].map { String($0) } }

    /// Returns a number, within bounds.
    func number(
        _ name: String,
        default standard: Int,
        in range: ClosedRange<Int>
    ) throws(Refusal) -> Int {
        try number(name, in: range) ?? standard
    }

    /// Returns a number, within bounds; `nil` if the query has none.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let text = self[name[...]] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            range.contains(number)
        else {
            throw Refusal(
                .malformedValue,
                "'\(name)' must be from \(range.lowerBound) to \(range.upperBound).",
                field: name
            )
        }
        return number
    }

    /// Returns `true` or `false` as the query says; `false` if it does not.
    func flag(_ name: String) throws(Refusal) -> Bool {
        switch self[name[...]] {
        case nil, "false": return false
        case "true": return true
        default: throw Refusal(.malformedValue, "'\(name)' is true or false.", field: name)
        }
    }
}

extension Refusal {
    /// The refusal of a text with long runs of marks; `place` names it and begins the sentence.
    static func tooManyMarks(in place: String) -> Refusal {
        Refusal(
            .malformedValue,
            "\(place) has more than \(MarkRuns.lengthMax) combining marks in a row; put at most "
                + "that many on one letter."
        )
    }
}
