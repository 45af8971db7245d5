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
        return try result(of: response, method: call.method)
    }

    /// Decodes the answers to a batch, in the order of its calls, whatever the endpoint's order.
    func answers<Answer>(
        to calls: [RPCCall<Answer>],
        _ bytes: [UInt8]
    ) throws(EthereumError) -> [Answer] {
        let method = calls.first?.method ?? "batch"
        if bytes.first(where: { !$0.isWhitespace }) == UInt8(ascii: "{") {
            // A refusal of the batch as a whole is a single object.
            let whole = try decode(Response<Answer>.self, bytes, method: method)
            _ = try result(of: whole, method: method)
            throw malformed(method, "one answer to \(calls.count) calls")
        }
        let responses = try decode([Response<Answer>].self, bytes, method: method)
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
            answers.append(try result(of: response, method: call.method))
        }
        guard byID.isEmpty else { throw malformed(method, "an answer nobody asked for") }
        return answers
    }

    private func result<Answer>(
        of response: Response<Answer>,
        method: String
    ) throws(EthereumError) -> Answer {
        if let refusal = response.refusal {
            let message = UntrustedText.line(refusal.message)
            throw .refused(
                endpoint,
                RPCRefusal(
                    method: method,
                    code: refusal.code,
                    message: message,
                    revertData: refusal.data
                )
            )
        }
        guard let result = response.result else {
            throw malformed(method, "neither result nor error")
        }
        return result
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ bytes: [UInt8],
        method: String
    ) throws(EthereumError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw malformed(method, Self.detail(of: error))
        } catch {
            throw malformed(method, "not JSON")
        }
    }

    private func malformed(_ method: String, _ detail: String) -> EthereumError {
        // The decoder's message can repeat text of the endpoint.
        .malformed(endpoint, method: method, detail: UntrustedText.line(detail))
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

private struct Response<Answer: Decodable & Sendable>: Decodable {
    let id: Int?
    let result: Answer?
    let refusal: Refusal?

    private enum Key: String, CodingKey {
        case jsonrpc, id, result, error
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        guard try fields.decode(String.self, forKey: .jsonrpc) == "2.0" else {
            throw DecodingError.dataCorruptedError(
                forKey: .jsonrpc,
                in: fields,
                debugDescription: "is not 2.0"
            )
        }
        id = try fields.decodeIfPresent(Int.self, forKey: .id)
        refusal = try fields.decodeIfPresent(Refusal.self, forKey: .error)
        // Some calls allow a null result, so the key's presence decides, not its value.
        result =
            fields.contains(.result) && refusal == nil
            ? try fields.decode(Answer.self, forKey: .result) : nil
    }
}

private struct Refusal: Decodable {
    let code: Int
    let message: String
    let data: [UInt8]?

    private enum Key: String, CodingKey {
        case code, message, data
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        code = try fields.decode(Int.self, forKey: .code)
        message = try fields.decode(String.self, forKey: .message)
        // Some endpoints put a text or an object here, which is allowed.
        data = (try? fields.decode(HexBytes.self, forKey: .data))?.bytes
    }
}

extension UInt8 {
    fileprivate var isWhitespace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
