import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Delivery addresses, and exceptions from limits of shipping, as bodies of mail.
struct MailAddressTests {
    @Test func `reads back addresses and exceptions from their bytes`() throws {
        let address = try MailAddress(
            for: MailBodySamples.sale,
            text: "Ada Lovelace\nMain Street 1"
        )
        let exception = MailException(listing: Bytes32(repeating: 4))
        try MailBodySamples.expectsReading(.address(address), from: address.body)
        try MailBodySamples.expectsReading(.exception(exception), from: exception.body)
    }

    @Test func `refuses an address or exception whose content breaks a rule`() throws {
        func fault(_ text: String) throws -> MailFault? {
            var wire = WireMailAddress()
            (wire.chain, wire.text) = (31_337, text)
            wire.contract = .init([UInt8](repeating: 1, count: 20))
            wire.sale = .init([UInt8](repeating: 2, count: 32))
            return try MailBodySamples.fault(MailAddress.field, CanonicalMessage.bytes(of: wire))
        }
        #expect(try fault("Main Street 1") == nil)
        for text in ["", " \n", "a\u{202E}b", String(repeating: "x", count: 513)] {
            #expect(try fault(text) == .malformed)
        }
        for count in [0, 31, 32, 33] {
            var wire = WireMailException()
            wire.listing = .init([UInt8](repeating: 2, count: count))
            let content = CanonicalMessage.bytes(of: wire)
            let fault = try MailBodySamples.fault(MailException.field, content)
            #expect(fault == (count == 32 ? nil : .malformed))
        }
    }

    @Test func `limits the length of an address`() throws {
        let most = String(repeating: "x", count: MailAddress.textByteCountMax)
        #expect(throws: Never.self) { try MailAddress(for: MailBodySamples.sale, text: most) }
        #expect(throws: RuleFault.tooLong(.text, byteCountMax: 512)) {
            try MailAddress(for: MailBodySamples.sale, text: most + "x")
        }
        #expect(throws: RuleFault.missing(.text)) {
            try MailAddress(for: MailBodySamples.sale, text: "\n")
        }
    }
}
