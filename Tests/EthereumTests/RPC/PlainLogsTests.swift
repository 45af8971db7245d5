import Foundation
import Keys
import Market
import Support
import Testing

@testable import Ethereum

/// The quick reader of events beside the JSON decoder.
struct PlainLogsTests {
    private static let codec = RPCCodec(endpoint: EndpointName("test"))

    /// What the decoder makes of an answer; `nil` if it refuses it.
    private static func decoded(_ answer: [UInt8]) -> [ContractEvent]? {
        try? codec.answer(to: RPCCall<[ContractEvent]>("eth_getLogs"), answer)
    }

    private static func event(_ random: inout SeededRandom) -> ContractEvent {
        func hash() -> Bytes32 {
            Bytes32(
                words: random.next(),
                random.next(),
                random.next(),
                random.next()
            )
        }
        return ContractEvent(
            block: BlockID(number: random.next() >> 20, hash: hash()),
            index: random.next() >> 40,
            transaction: hash(),
            address: Address(hash().bytes.prefix(20)) ?? .zero,
            topics: (0..<Int.random(in: 0...4, using: &random)).map { _ in hash() },
            data: (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        )
    }

    private static func json(_ event: ContractEvent) -> [String: Any] {
        func hex(_ bytes: some Sequence<UInt8>) -> String { "0x" + Hex.encode(bytes) }
        return [
            "address": hex(event.address.bytes), "topics": event.topics.map { hex($0.bytes) },
            "data": hex(event.data), "blockNumber": "0x" + String(event.block.number, radix: 16),
            "blockHash": hex(event.block.hash.bytes), "removed": false,
            "transactionHash": hex(event.transaction.bytes), "transactionIndex": "0x0",
            "logIndex": "0x" + String(event.index, radix: 16),
        ]
    }

    private static func answer(
        _ events: [ContractEvent],
        _ options: JSONSerialization.WritingOptions = []
    ) throws -> [UInt8] {
        let object: [String: Any] = ["jsonrpc": "2.0", "id": 0, "result": events.map(json)]
        return [UInt8](try JSONSerialization.data(withJSONObject: object, options: options))
    }

    @Test func `reads events in their usual spelling as the decoder does`() throws {
        var random = SeededRandom(seed: 7)
        for count in [0, 1, 2, 50] {
            let events = (0..<count).map { _ in Self.event(&random) }
            for options in [[], .prettyPrinted, .sortedKeys] as [JSONSerialization.WritingOptions] {
                let answer = try Self.answer(events, options)
                #expect(PlainLogs.events(in: answer) == events)
                #expect(Self.decoded(answer) == events)
            }
        }
    }

    @Test func `leaves other spellings of events to the decoder`() throws {
        var random = SeededRandom(seed: 8)
        let event = Self.event(&random)
        let answer = String(decoding: try Self.answer([event], .sortedKeys), as: UTF8.self)
        for (part, other) in [
            (#""id":0"#, #""id":1"#), (#""id":0"#, #""id":00"#), (#""2.0""#, #""1.0""#),
            (#""id":0"#, #""id":0,"error":null"#), (#""id":0"#, #""id":1,"id":0"#),
            (#""jsonrpc""#, #""jsonrpc":"1.0","jsonrpc""#),
            (#""address""#, #""address":"0x","address""#),
            (#""jsonrpc""#, #""json\u0072pc""#),
            ("false", "true"), ("false", "falsetto"), (#""0x0""#, "{}"), ("0x", "0X"),
            (#""data":"0x"#, #""data":"0x0"#), ("]}", "]}}"), ("}]", "},]"), ("]}", "]"),
            (#""logIndex":"0x"#, #""logIndex":"0x1000000000"#), ("removed", "removal"),
            (#""data":"0x"#, #""data":"0x0x"#), (#""blockNumber":"0x"#, #""blockNumber":"0x0x"#),
        ] {
            let changed = answer.replacing(part, with: other, maxReplacements: 1)
            #expect(changed != answer, "\(part)")
            #expect(PlainLogs.events(in: [UInt8](changed.utf8)) == nil, "\(other)")
        }
        let long = ContractEvent(
            block: event.block,
            index: 0,
            transaction: event.transaction,
            address: event.address,
            topics: [],
            data: [UInt8](repeating: 1, count: ChainLimits().logDataBytesMax + 1)
        )
        #expect(PlainLogs.events(in: try Self.answer([long])) == nil)
        for words in ["", " ", "{", "[]", "null", #"{"jsonrpc":"2.0","id":0,"result":["#] {
            #expect(PlainLogs.events(in: [UInt8](words.utf8)) == nil, "\(words)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `reads a damaged answer as the decoder does, or not at all`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let events = (0..<2).map { _ in Self.event(&random) }
        let answer = try Self.answer(events, seed.isMultiple(of: 2) ? [] : .prettyPrinted)
        let marks = [UInt8](#"{}[]",:0x \tfalse"#.utf8)
        for _ in 0..<500 {
            var damaged = answer
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: damaged.remove(at: place)
                case 1: damaged.insert(marks.randomElement(using: &random) ?? 0, at: place)
                case 2: damaged[place] = UInt8.random(in: 0...255, using: &random)
                default: damaged[place] = marks.randomElement(using: &random) ?? 0
                }
            }
            guard let read = PlainLogs.events(in: damaged) else { continue }
            #expect(read == Self.decoded(damaged))
        }
    }
}
