import GossipProtocol
import Keys
import Market
import Testing

struct RecordQuestionTests {
    private let topic = ProtobufFields.write(1, Array("/stoa/test/1".utf8))
    private let id = [UInt8](repeating: 7, count: 32)

    private func read(_ fields: [[UInt8]]) -> RecordQuestion? {
        RecordQuestion(decoding: topic + fields.flatMap(\.self), limits: ExchangeLimits())
    }

    /// - From peers: a question with repeated fields, or with its ids in several fields → stream
    ///   reset, offence
    @Test func `ids share one field, and no field appears twice`() throws {
        let next = [UInt8](repeating: 8, count: 32)
        let joined = [ProtobufFields.write(3, 1), ProtobufFields.write(4, id + next)]
        guard case .want(_, let ids, bytesMax: 1) = read(joined) else {
            Issue.record("ids joined in one field are not read")
            return
        }
        #expect(ids.map(\.digest.bytes) == [id, next])
        let apart = [id, next].map { ProtobufFields.write(4, $0) }
        #expect(read([joined[0]] + apart) == nil)
        #expect(read(joined + [ProtobufFields.write(3, 2)]) == nil)
        #expect(read([ProtobufFields.write(3, 1), ProtobufFields.write(3, 1)]) == nil)
    }

    @Test func `an empty request costs the minimum; an empty page does not exist`() {
        let want = [ProtobufFields.write(3, 0), ProtobufFields.write(4, id)]
        #expect(read(want) != nil)
        #expect(read([want[1]]) == nil)
        #expect(read([ProtobufFields.write(3, 0)]) == nil)
        #expect(read([ProtobufFields.write(3, 1)]) != nil)
    }

    @Test func `writes a page of ids as one field and records as several`() {
        let ids = [ProtobufFields.write(1, id), ProtobufFields.write(1, id)]
        #expect(RecordAnswer(decoding: ids[0], limits: ExchangeLimits()) != nil)
        #expect(RecordAnswer(decoding: ids[0] + ids[1], limits: ExchangeLimits()) == nil)
        let records = [id, id].flatMap { ProtobufFields.write(3, $0) }
        let batch = records + ProtobufFields.write(4, 2)
        #expect(RecordAnswer(decoding: batch, limits: ExchangeLimits()) != nil)
        #expect(
            RecordAnswer(decoding: batch + ProtobufFields.write(4, 2), limits: ExchangeLimits())
                == nil
        )
    }
}
