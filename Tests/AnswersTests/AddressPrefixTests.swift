import Answers
import Keys
import Testing

struct AddressPrefixTests {
    private let address = Address(words: 0x0123_4567_89AB_CDEF, 1, 0xF00D_CAFE)

    @Test(arguments: [
        "0x0123", "0X012345", "0x0123…", "0x0123…cafe", "0x012345…E", "0x0123…f00dCAFE",
    ])
    func `a shortened address matches addresses with that start and end`(text: String) throws {
        let prefix = try #require(AddressPrefix(text))
        #expect(prefix.matches(address))
        #expect(!prefix.matches(.zero))
        #expect(!prefix.matches(Address(words: 0x0124_0000_0000_0000, 1, 0xF00D_CAFE)))
        let other = Address(words: 0x0123_4567_89AB_CDEF, 1, 0xF00D_CAFF)
        #expect(prefix.matches(other) == (text.hasSuffix("…") || !text.contains("…")))
    }

    @Test func `a whole address matches only itself`() throws {
        let prefix = try #require(AddressPrefix(address.checksummed))
        #expect(prefix.first == address && prefix.last == address && prefix.matches(address))
    }

    @Test(arguments: [
        "", "0x", "0x012", "0123", "ana", "0x0123…x", "0x0123……", "…cafe", "0x 123",
    ])
    func `rejects text that is not a shortened address`(text: String) {
        #expect(AddressPrefix(text) == nil)
        #expect(AddressPrefix("0x" + String(repeating: "0", count: 41)) == nil)
    }
}
