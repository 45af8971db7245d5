import Foundation
import Keys

/// Encodes JSON-RPC calls, and decodes answers or errors, which name the endpoint.
///
/// Answers are untrusted: the version, the ids, and that each call is answered once are checked
/// before any result is read.
///
/// Source: JSON-RPC 2.0, sections 4 to 6.
struct RPCCodec: Sendable {
    let endpoint: EndpointName
    /// Keys and passwords of any length, which the endpoint may repeat in its answers; they are
    /// removed from everything that is shown.
    var secrets: [String] = []

    func request<Answer>(_ call: RPCCall<Answer>) throws -> [UInt8] {
        [UInt8](try JSONEncoder().encode(Request(call, id: 0)))
    }

    func request<Answer>(_ calls: [RPCCall<Answer>]) throws -> [UInt8] {
        let batch = calls.enumerated().map { Request($0.element, id: $0.offset) }
        return [UInt8](try JSONEncoder().encode(batch))
    }

    func answer<Answer>(
        to call: RPCCall<Answer>,
        _ bytes: [UInt8]
    ) throws(EthereumError) -> Answer {
        if let answer = call.plain?(bytes) { return answer }
        let response = try decode(Response<Answer>.self, bytes, method: call.method)
        guard response.id == 0 || response.refusal != nil else {
            throw malformed(call.method, "another call's answer")
        }
        return try result(of: response, to: call)
    }

    /// Reads the refusal in the body of an answer with another HTTP status than 200.
    ///
    /// - Returns: `nil` if there is none.
    func refusal(of method: String, in body: [UInt8]) -> RPCRefusal? {
        guard AnswerShape.fault(of: body) == nil else { return nil }
        let decoder = JSONDecoder()
        let data = Data(body)
        let found =
            (try? decoder.decode(StatusBody.self, from: data))?.refusal
            ?? (try? decoder.decode([StatusBody].self, from: data))?.first?.refusal
        return found.map { refusal($0, of: method) }
    }

    /// Decodes the answers to a batch, in the order of its calls, whatever the endpoint's order.
    ///
    /// - Throws: ``BatchRefused`` if the endpoint refuses the batch as such.
    func answers<Answer>(
        to calls: [RPCCall<Answer>],
        _ bytes: [UInt8]
    ) throws -> [Answer] {
        let method = calls.first?.method ?? "batch"
        if bytes.first(where: { !$0.isWhitespace }) == UInt8(ascii: "{") {
            // A refusal of the batch as a whole is a single object.
            if let refusal = refusal(of: method, in: bytes) { throw BatchRefused(refusal: refusal) }
            throw malformed(method, "one answer to \(calls.count) calls")
        }
        let responses = try decoded(bytes, method) { data in
            try JSONDecoder().decode(Responses<Answer>.self, from: data, configuration: calls.count)
        }.all
        // Or it is the only answer, or has no id.
        if let refusal = responses.first(where: { $0.refusal != nil })?.refusal,
            responses.count < calls.count || responses.contains(where: { $0.id == nil })
        {
            throw BatchRefused(refusal: self.refusal(refusal, of: method))
        }
        var byID: [Int: Response<Answer>] = [:]
        for response in responses {
            guard let id = response.id, byID.updateValue(response, forKey: id) == nil else {
                throw malformed(method, "an answer without its own id")
            }
        }
        var answers: [Answer] = []
        for (id, call) in calls.enumerated() {
            guard let response = byID.removeValue(forKey: id) else {
                throw malformed(call.method, "a call of the batch is not answered")
            }
            answers.append(try result(of: response, to: call))
        }
        guard byID.isEmpty else { throw malformed(method, "an answer nobody asked for") }
        return answers
    }

    private func result<Answer>(
        of response: Response<Answer>,
        to call: RPCCall<Answer>
    ) throws(EthereumError) -> Answer {
        if let refusal = response.refusal {
            throw .refused(endpoint, self.refusal(refusal, of: call.method))
        }
        guard let result = response.result ?? (response.isNull ? call.none : nil) else {
            throw malformed(call.method, "neither result nor error")
        }
        return result
    }

    private func refusal(_ refusal: Refusal, of method: String) -> RPCRefusal {
        RPCRefusal(
            method: method,
            code: refusal.code,
            message: line(refusal.message),
            detail: line(refusal.detail),
            told: RPCRefusal.Told(
                message: UntrustedText.line(refusal.message),
                detail: UntrustedText.line(refusal.detail)
            ),
            revertData: refusal.data.map(withoutSecrets)
        )
    }

    /// Returns the data of a revert, or none if a text in it repeats a secret of the operator's.
    private func withoutSecrets(_ data: [UInt8]) -> [UInt8] {
        let text = String(decoding: data, as: UTF8.self)
        return Redaction.redacted(text, secrets) == text ? data : []
    }

    /// Makes the endpoint's words safe for a screen and a log, without the operator's secrets.
    private func line(_ words: String) -> String {
        UntrustedText.line(Redaction.redacted(words, secrets))
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ bytes: [UInt8],
        method: String
    ) throws(EthereumError) -> Value {
        try decoded(bytes, method) { try JSONDecoder().decode(type, from: $0) }
    }

    private func decoded<Value>(
        _ bytes: [UInt8],
        _ method: String,
        _ body: (Data) throws -> Value
    ) throws(EthereumError) -> Value {
        if let fault = AnswerShape.fault(of: bytes) { throw malformed(method, fault) }
        do {
            return try body(Data(bytes))
        } catch let error as DecodingError {
            throw malformed(method, Self.detail(of: error))
        } catch {
            throw malformed(method, "not JSON")
        }
    }

    private func malformed(_ method: String, _ detail: String) -> EthereumError {
        // The decoder's message can repeat text of the endpoint.
        .malformed(endpoint, method: method, detail: line(detail))
    }

    private static func detail(of error: DecodingError) -> String {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map(\.stringValue).joined(separator: ".")
        }
        return switch error {
        case .keyNotFound(let key, let context): "\(path(context)) lacks \(key.stringValue)"
        case .valueNotFound(_, let context): "\(path(context)) is null"
        case .typeMismatch(_, let context): "\(path(context)) is of another type"
        case .dataCorrupted(let context): "\(path(context)) \(context.debugDescription)"
        @unknown default: "not as expected"
        }
    }
}

private struct Request: Encodable {
    let jsonrpc = "2.0"
    let id: Int
    let method: String
    let params: [RPCParameter]

    init<Answer>(_ call: RPCCall<Answer>, id: Int) {
        (self.id, method, params) = (id, call.method, call.parameters)
    }
}

/// The endpoint refuses a batch as such, because of its length or because it accepts no batches.
struct BatchRefused: Error, Equatable {
    let refusal: RPCRefusal
}

/// The answers to a batch; of those that nobody asked for, only the first is read.
private struct Responses<Answer: Decodable & Sendable>: DecodableWithConfiguration {
    let all: [Response<Answer>]

    /// Reads one answer more than were asked for, at most.
    init(from decoder: any Decoder, configuration asked: Int) throws {
        var list = try decoder.unkeyedContainer()
        var all: [Response<Answer>] = []
        while !list.isAtEnd, all.count <= asked {
            all.append(try list.decode(Response<Answer>.self))
        }
        self.all = all
    }
}

private struct Response<Answer: Decodable & Sendable>: Decodable {
    let id: Int?
    let result: Answer?
    /// Whether the result is `null` although the answer's type does not allow it.
    let isNull: Bool
    let refusal: Refusal?

    private enum Key: String, CodingKey {
        case jsonrpc, id, result, error
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        refusal = try fields.decodeIfPresent(Refusal.self, forKey: .error)
        guard refusal == nil else {
            // Refusals also come from servers in front of the endpoint, and are read unchanged.
            id = try? fields.decodeIfPresent(Int.self, forKey: .id)
            (result, isNull) = (nil, false)
            return
        }
        guard try fields.decode(String.self, forKey: .jsonrpc) == "2.0" else {
            throw DecodingError.dataCorruptedError(
                forKey: .jsonrpc,
                in: fields,
                debugDescription: "is not 2.0"
            )
        }
        id = try fields.decodeIfPresent(Int.self, forKey: .id)
        // Some calls allow a null result, so the key's presence decides, not its value.
        guard fields.contains(.result) else {
            (result, isNull) = (nil, false)
            return
        }
        guard try fields.decodeNil(forKey: .result) else {
            (result, isNull) = (try fields.decode(Answer.self, forKey: .result), false)
            return
        }
        result = try? fields.decode(Answer.self, forKey: .result)
        isNull = result == nil
    }
}

/// An `error`: the specified object, or something simpler.
private struct Refusal: Decodable {
    let code: Int
    let message: String
    /// The words in `data`.
    let detail: String
    let data: [UInt8]?

    private enum Key: String, CodingKey {
        case code, message, data
    }

    init(from decoder: any Decoder) throws {
        if let words = try? decoder.singleValueContainer().decode(String.self) {
            (code, message, detail, data) = (0, words, "", nil)
            return
        }
        let fields = try decoder.container(keyedBy: Key.self)
        let words = try? fields.decodeIfPresent(Words.self, forKey: .data)
        detail = words?.text ?? ""
        // Some endpoints put a text or an object here, which is allowed.
        data = (try? fields.decode(HexBytes.self, forKey: .data))?.bytes
        if let number = try? fields.decodeIfPresent(Int.self, forKey: .code) {
            code = number
        } else {
            code = (try fields.decodeIfPresent(String.self, forKey: .code)).flatMap { Int($0) } ?? 0
        }
        message = try fields.decodeIfPresent(String.self, forKey: .message) ?? ""
    }
}

/// The texts in a JSON value, with blanks between them; those of hexadecimal digits are left out.
///
/// Few values are looked at, since an endpoint chooses how many there are and how they are nested.
private struct Words: Decodable {
    private static let textsMax = 8
    /// The most values that are looked at, in all.
    private static let valuesMax = 64
    /// How deep in the value texts are found; a text in a list is at 1.
    private static let depthMax = 4

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// A value of another type, which is passed over.
    private struct Other: Decodable {
        init(from decoder: any Decoder) {}
    }

    var text: String { found.joined(separator: " ") }
    private var found: [String] = []
    private var valuesLeft = Self.valuesMax

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            add(text)
        } else if let fields = try? decoder.container(keyedBy: Name.self) {
            collect(from: fields, at: 1)
        } else if let list = try? decoder.unkeyedContainer() {
            collect(from: list, at: 1)
        }
    }

    private mutating func collect(from fields: KeyedDecodingContainer<Name>, at depth: Int) {
        let keys = fields.allKeys.sorted { $0.stringValue < $1.stringValue }
        for key in keys {
            guard mayLook() else { return }
            if let text = try? fields.decode(String.self, forKey: key) {
                add(text)
            } else if depth == Self.depthMax {
                continue
            } else if let inner = try? fields.nestedContainer(keyedBy: Name.self, forKey: key) {
                collect(from: inner, at: depth + 1)
            } else if let inner = try? fields.nestedUnkeyedContainer(forKey: key) {
                collect(from: inner, at: depth + 1)
            }
        }
    }

    private mutating func collect(from list: any UnkeyedDecodingContainer, at depth: Int) {
        var list = list
        while !list.isAtEnd {
            guard mayLook() else { return }
            if let text = try? list.decode(String.self) {
                add(text)
            } else if depth < Self.depthMax,
                let inner = try? list.nestedContainer(keyedBy: Name.self)
            {
                collect(from: inner, at: depth + 1)
            } else if depth < Self.depthMax, let inner = try? list.nestedUnkeyedContainer() {
                collect(from: inner, at: depth + 1)
            } else if (try? list.decode(Other.self)) == nil {
                // One that cannot be passed over would be tried again.
                return
            }
        }
    }

    /// Whether one more value may be looked at.
    private mutating func mayLook() -> Bool {
        valuesLeft -= 1
        return valuesLeft >= 0 && found.count < Self.textsMax
    }

    private mutating func add(_ text: String) {
        guard !text.isEmpty, !text.hasPrefix("0x") else { return }
        found.append(text)
    }
}

/// The body of an answer with another HTTP status than 200.
private struct StatusBody: Decodable {
    let refusal: Refusal?

    private enum Key: String, CodingKey { case error, result }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        guard !fields.contains(.error) else {
            refusal = try fields.decode(Refusal.self, forKey: .error)
            return
        }
        // Some send the error alone.
        let bare = try? Refusal(from: decoder)
        refusal = fields.contains(.result) || bare?.message.isEmpty != false ? nil : bare
    }
}

extension UInt8 {
    fileprivate var isWhitespace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
