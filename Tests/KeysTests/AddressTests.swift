import Keys
import Testing

struct AddressTests {
    /// The examples of EIP-55.
    @Test(arguments: [
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "0xde709f2102306220921060314715629080e2fb77",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    ])
    func `reads and writes the checksummed form`(text: String) throws {
        #expect(try Address(text: text).checksummed == text)
    }

    /// - From people: a mistyped address → bad_address
    @Test func `refuses a mistyped letter`() {
        #expect(throws: AddressError.checksum) {
            try Address(text: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed")
        }
    }

    @Test(arguments: ["", "0x", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xzz"])
    func `refuses text that is not an address`(text: String) {
        #expect(throws: AddressError.malformed) { try Address(text: text) }
    }
}
