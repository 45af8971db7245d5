import Testing

@testable import GossipProtocol

/// The numbers of fields are no part of what GossipProtocol offers, hence the testable import.
struct ProtobufFieldsTests {
    @Test(arguments: [0, 127, 128, 1 << 62, 1 << 63, .max] as [UInt64])
    func `reads a number of up to 64 bits in its shortest form alone`(number: UInt64) throws {
        let field = ProtobufFields.write(1, number)
        #expect(ProtobufFields(field)?.number(1) == number)
        let longer = field.dropLast() + [try #require(field.last) | 0x80, 0]
        #expect(ProtobufFields([UInt8](longer)) == nil)
        for end in 1..<field.count { #expect(ProtobufFields([UInt8](field[..<end])) == nil) }
    }

    @Test func `refuses a tag and a length of more than nine bytes`() {
        let long = [UInt8](repeating: 0xFF, count: 9) + [1]
        #expect(ProtobufFields(long + [0]) == nil)
        #expect(ProtobufFields([0x0A] + long) == nil)
    }
}
