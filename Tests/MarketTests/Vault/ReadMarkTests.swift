import Keys
import Market
import Testing

/// What a vault says of the messages that its account has read.
struct ReadMarkTests {
    private static func device(_ number: UInt8) -> Bytes32 {
        Bytes32([UInt8](repeating: number, count: Bytes32.byteCount)) ?? .zero
    }

    @Test func `reads back a mark`() {
        let mark = ReadMark([Self.device(2): 1 << 40 + 7, Self.device(1): 3])
        #expect(mark.bytes.count == 80 && mark.bytes.first == 1)
        #expect(ReadMark(mark.bytes) == mark)
        #expect(ReadMark([UInt8]()) == ReadMark([:]))
    }

    @Test func `keeps only the highest numbers of too many devices`() {
        let numbers = (1...20).map { (Self.device($0), UInt64($0)) }
        let mark = ReadMark(Dictionary(uniqueKeysWithValues: numbers))
        #expect(mark.numbers.count == ReadMark.devicesMax && mark.numbers.values.min() == 9)
        #expect(ReadMark(mark.bytes) == mark)
    }

    @Test func `refuses a malformed mark`() {
        let mark = ReadMark([Self.device(1): 1, Self.device(2): 2]).bytes
        #expect(ReadMark(Array(mark.dropLast())) == nil)
        #expect(ReadMark(mark + [0]) == nil)
        #expect(ReadMark(Array(mark[40...] + mark[..<40])) == nil)
        #expect(ReadMark(Array(mark[..<40] + mark[..<40])) == nil)
        #expect(ReadMark((1...13).flatMap { ReadMark([Self.device($0): 1]).bytes }) == nil)
    }
}
