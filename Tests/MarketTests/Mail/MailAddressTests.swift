import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Delivery addresses, and exceptions from limits of shipping, as bodies of mail.
struct MailAddressTests {
    private static let phone = Samples.key("phone")
    private static let sale = SaleReference(
        contract: ContractReference(chain: ChainID(31_337), address: Samples.ana.address),
        id: SaleID(Bytes32(repeating: 3))
    )

    private static func message(_ body: MailMessage.Body) -> MailMessage {
        MailMessage(
            network: "test",
            sender: Samples.ana.address,
            device: phone.publicKey,
            recipient: Samples.bo.address,
            listing: nil,
            number: 1,
            sentAt: Samples.now,
            body: body
        )
    }

    private static func isRead(_ body: UnknownMailBody) throws -> Bool {
        let signed = try message(.unknown(body)).signed(by: phone)
        do throws(MailFault) {
            _ = try SignedMail(signed.bytes)
            return true
        } catch {
            #expect(error == .malformed)
            return false
        }
    }

    @Test func `reads back addresses and exceptions from their bytes`() throws {
        let address = try MailAddress(for: Self.sale, text: "Ada Lovelace\nMain Street 1")
        let exception = MailException(listing: Bytes32(repeating: 4))
        let bodies: [(MailMessage.Body, UnknownMailBody)] = [
            (.address(address), address.body), (.exception(exception), exception.body),
        ]
        for (body, content) in bodies {
            let signed = try Self.message(body).signed(by: Self.phone)
            let read = try SignedMail(signed.bytes)
                .verified(for: Samples.bo.address, network: "test")
            #expect(read.body == body && read.body.byteCount == content.content.count)
            // What a version writes that does not know the body, and passes on as it came.
            let unknown = try Self.message(.unknown(content)).signed(by: Self.phone)
            #expect(unknown.bytes == signed.bytes)
        }
    }

    @Test func `refuses an address or exception whose content breaks a rule`() throws {
        func wire(_ change: (inout WireMailAddress) -> Void) -> UnknownMailBody {
            var wire = WireMailAddress()
            (wire.chain, wire.text) = (31_337, "Main Street 1")
            wire.contract = .init([UInt8](repeating: 1, count: 20))
            wire.sale = .init([UInt8](repeating: 2, count: 32))
            change(&wire)
            let content = CanonicalMessage.bytes(of: wire)
            return UnknownMailBody(field: MailAddress.field, content: content)
        }
        #expect(try Self.isRead(wire { _ in }))
        for body in [
            wire { $0.text = "" }, wire { $0.text = " \n" }, wire { $0.text = "a\u{202E}b" },
            wire { $0.text = String(repeating: "x", count: 513) },
            wire { $0.contract = .init($0.contract.dropLast()) }, wire { $0.sale = .init([]) },
            wire { $0.sale = .init([UInt8](repeating: 2, count: 33)) },
            UnknownMailBody(field: MailAddress.field, content: [0xFF]),
        ] {
            #expect(try !Self.isRead(body))
        }
        for count in [0, 31, 32, 33] {
            var wire = WireMailException()
            wire.listing = .init([UInt8](repeating: 2, count: count))
            let content = CanonicalMessage.bytes(of: wire)
            let body = UnknownMailBody(field: MailException.field, content: content)
            #expect(try Self.isRead(body) == (count == 32))
        }
    }

    @Test func `limits the length of an address`() throws {
        let most = String(repeating: "x", count: MailAddress.textByteCountMax)
        #expect(throws: Never.self) { try MailAddress(for: Self.sale, text: most) }
        #expect(throws: RuleFault.tooLong(.text, byteCountMax: 512)) {
            try MailAddress(for: Self.sale, text: most + "x")
        }
        #expect(throws: RuleFault.missing(.text)) { try MailAddress(for: Self.sale, text: "\n") }
    }
}
