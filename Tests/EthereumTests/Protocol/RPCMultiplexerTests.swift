import Ethereum
import Foundation
import Support
import Testing

struct RPCMultiplexerTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func call(_ id: Int = 0) -> [UInt8] {
        bytes(#"{"jsonrpc":"2.0","id":\#(id),"method":"m","params":[{"id":7}]}"#)
    }

    private var multiplexer: RPCMultiplexer { RPCMultiplexer(requestsMax: 4, callsMax: 3) }

    private func opened(
        _ body: [UInt8],
        by multiplexer: inout RPCMultiplexer
    ) throws -> (ticket: RPCMultiplexer.Ticket, bytes: [UInt8]) {
        let opened = multiplexer.open(body)
        return try #require(opened)
    }

    @Test func `sends each request under fresh ids and answers with the original ones`() throws {
        var multiplexer = multiplexer
        let first = try opened(call(), by: &multiplexer)
        let second = try opened(call(), by: &multiplexer)
        #expect(text(first.bytes).contains(#""id":1,"method""#))
        #expect(text(second.bytes).contains(#""id":2,"method""#))
        #expect(text(second.bytes).contains(#"[{"id":7}]"#))
        let answer = multiplexer.receive(bytes(#"{"jsonrpc":"2.0","result":"x","id":2}"#))
        #expect(
            answer == .answer(second.ticket, bytes(#"{"jsonrpc":"2.0","result":"x","id":0}"#))
        )
        let other = multiplexer.receive(bytes(#"{"id":1,"result":{"id":9}}"#))
        #expect(other == .answer(first.ticket, bytes(#"{"id":0,"result":{"id":9}}"#)))
        #expect(multiplexer.openCount == 0)
    }

    @Test func `accepts a batch in any order and ignores foreign ids in it`() throws {
        var multiplexer = multiplexer
        let batch = bytes(#"[{"id":0,"method":"a"},{"id":1,"method":"b"}]"#)
        let request = try opened(batch, by: &multiplexer)
        #expect(text(request.bytes) == #"[{"id":1,"method":"a"},{"id":2,"method":"b"}]"#)
        let answer = multiplexer.receive(bytes(#"[{"id":2,"result":0},{"id":99,"result":1}]"#))
        #expect(
            answer
                == .answer(request.ticket, bytes(#"[{"id":1,"result":0},{"id":-1,"result":1}]"#))
        )
    }

    @Test func `ignores an answer that arrives twice or too late`() throws {
        var multiplexer = multiplexer
        let first = try opened(call(), by: &multiplexer)
        let second = try opened(call(), by: &multiplexer)
        multiplexer.close(first.ticket)
        #expect(multiplexer.receive(bytes(#"{"id":1,"result":0}"#)) == .late)
        let answer = bytes(#"{"id":2,"result":0}"#)
        #expect(multiplexer.receive(answer) == .answer(second.ticket, call: "0"))
        #expect(multiplexer.receive(answer) == .late)
    }

    @Test func `assigns an answer without an id to the only open request`() throws {
        var multiplexer = multiplexer
        let refusal = bytes(#"{"jsonrpc":"2.0","error":{"code":-32005,"message":"no"},"id":null}"#)
        let first = try opened(call(), by: &multiplexer)
        #expect(multiplexer.receive(refusal) == .answer(first.ticket, refusal))
        _ = multiplexer.open(call())
        _ = multiplexer.open(call())
        guard case .violation = multiplexer.receive(refusal) else {
            Issue.record("one of two requests was chosen")
            return
        }
    }

    @Test func `assigns an answer without an id to the only open batch`() throws {
        var multiplexer = multiplexer
        let refusal = bytes(#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"},"id":null}"#)
        _ = try opened(call(), by: &multiplexer)
        let batch = try opened(bytes(#"[{"id":1},{"id":2}]"#), by: &multiplexer)
        _ = try opened(call(), by: &multiplexer)
        #expect(multiplexer.receive(refusal) == .answer(batch.ticket, refusal))
        guard case .violation = multiplexer.receive(refusal) else {
            Issue.record("one of two calls was chosen")
            return
        }
    }

    @Test(arguments: [
        "", "null", "nonsense", "{", "[", "[1]", "{} {}", #"{"id":1,"id":2}"#, #"{"id":77}"#,
        #"{"id":"1"}"#, #"{"id":-1}"#, #"{"id":1.5}"#, #"[{},{},{},{}]"#, #"{"a":}"#, #"{"id"}"#,
        #"{"id":1"#, #"{"id":1]"#, #"{"a":"\"#,
    ])
    func `a message that is not an answer ends the connection`(message: String) throws {
        var multiplexer = multiplexer
        _ = try opened(call(), by: &multiplexer)
        _ = try opened(call(), by: &multiplexer)
        guard case .violation = multiplexer.receive(bytes(message)) else {
            Issue.record("\(message)")
            return
        }
    }

    @Test func `limits requests and refuses malformed ones`() {
        var multiplexer = multiplexer
        #expect(multiplexer.open(bytes("[]")) == nil)
        #expect(multiplexer.open(bytes(#"{"method":"m"}"#)) == nil)
        #expect(multiplexer.open(bytes(#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#)) == nil)
        for _ in 0..<4 { #expect(multiplexer.open(call()) != nil) }
        #expect(multiplexer.open(call()) == nil)
    }

    @Test func `a flood of late answers ends the connection`() throws {
        var multiplexer = multiplexer
        let request = try opened(call(), by: &multiplexer)
        multiplexer.close(request.ticket)
        for _ in 0..<RPCMultiplexer.straysMax {
            #expect(multiplexer.receive(bytes(#"{"id":1,"result":0}"#)) == .late)
        }
        guard case .violation = multiplexer.receive(bytes(#"{"id":1,"result":0}"#)) else {
            Issue.record("no end")
            return
        }
    }

    @Test func `distinguishes a notification from an answer`() {
        var multiplexer = multiplexer
        let message = #"{"jsonrpc":"2.0","method":"eth_subscription","params":{"id":1}}"#
        #expect(multiplexer.receive(bytes(message)) == .notification)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the outline finds the same ids as a full decoder`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                JSONValue.object(depth: 3, &random)
            }
            let text = Bool.random(using: &random) ? parts[0] : "[\(parts.joined(separator: " ,"))]"
            let whole = try JSONSerialization.jsonObject(with: Data(text.utf8))
            let single = (whole as? [String: Any]).map { [$0] }
            let objects = try #require(whole as? [[String: Any]] ?? single)
            let outline = try #require(RPCEnvelope(of: bytes(text), partsMax: 3), "\(text)")
            #expect(outline.parts.count == objects.count)
            for (part, object) in zip(outline.parts, objects) {
                let id = part.id.flatMap { Int(self.text(Array(bytes(text)[$0]))) }
                #expect(id == object["id"] as? Int, "\(text)")
                #expect(part.hasMethod == (object["method"] != nil), "\(text)")
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `corrupted messages neither crash nor answer another request`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            var multiplexer = multiplexer
            let tickets = try (0..<3).map { _ in try opened(call(), by: &multiplexer).ticket }
            var message = bytes(#"[{"jsonrpc":"2.0","id":2,"result":"0x1"}]"#)
            random.spoil(&message)
            if case .answer(let ticket, let answer) = multiplexer.receive(message) {
                #expect(tickets.contains(ticket))
                #expect(answer.count <= message.count + 8)
            }
        }
    }
}

extension RPCMultiplexer.Message {
    /// The answer to a call with the id 0 and the result 0.
    fileprivate static func answer(_ ticket: RPCMultiplexer.Ticket, call id: String) -> Self {
        .answer(ticket, Array(#"{"id":\#(id),"result":0}"#.utf8))
    }
}

/// Random JSON.
private enum JSONValue {
    static func object(depth: Int, _ random: inout SeededRandom) -> String {
        var fields = (0..<Int.random(in: 0...3, using: &random)).map { index in
            "\"\(index)\(string(&random))\" : \(value(depth: depth - 1, &random))"
        }
        if Bool.random(using: &random) {
            fields.append("\"id\":\(Int.random(in: 0...99, using: &random))")
        }
        if Bool.random(using: &random) { fields.append(#""method" :"\#(string(&random))""#) }
        fields.shuffle(using: &random)
        return "{" + fields.joined(separator: ", ") + "}"
    }

    private static func value(depth: Int, _ random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return "\"\(string(&random))\""
        case 1: return "\(Int.random(in: -9...9, using: &random))"
        case 2: return "true"
        case 3: return "null"
        case 4: return "1.5e3"
        case 5: return object(depth: depth, &random)
        default:
            let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                value(depth: depth - 1, &random)
            }
            return "[" + items.joined(separator: ",") + "]"
        }
    }

    private static func string(_ random: inout SeededRandom) -> String {
        let parts = ["id", #"\""#, #"\\"#, "{", "}", "[", "]", ",", ":", #"\u00e9"#, "é"]
        return (0..<Int.random(in: 0...4, using: &random))
            .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
}
