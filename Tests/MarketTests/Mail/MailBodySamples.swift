import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Messages from Ana's phone to Bo, for tests of their bodies.
enum MailBodySamples {
    static let phone = Samples.key("phone")
    static let sale = SaleReference(
        contract: ContractReference(chain: ChainID(31_337), address: Samples.ana.address),
        id: SaleID(Bytes32(repeating: 3))
    )

    static func signed(_ body: MailMessage.Body) throws -> SignedMail {
        try MailMessage(
            network: "test",
            sender: Samples.ana.address,
            device: phone.publicKey,
            recipient: Samples.bo.address,
            listing: nil,
            number: 1,
            sentAt: Samples.now,
            body: body
        ).signed(by: phone)
    }

    /// Expects that a body is read from its bytes, which are those of a version that does not know
    /// the body and passes it on as it came.
    static func expectsReading(_ body: MailMessage.Body, from content: UnknownMailBody) throws {
        let signed = try Self.signed(body)
        let read = try SignedMail(signed.bytes).verified(for: Samples.bo.address, network: "test")
        #expect(read.body == body && read.body.byteCount == content.content.count)
        #expect(try Self.signed(.unknown(content)).bytes == signed.bytes)
    }

    /// Returns why a message with a body of these bytes is refused; `nil` if it is read.
    static func fault(_ field: UInt64, _ content: [UInt8]) throws -> MailFault? {
        let bytes = try signed(.unknown(UnknownMailBody(field: field, content: content))).bytes
        do throws(MailFault) {
            _ = try SignedMail(bytes)
            return nil
        } catch {
            return error
        }
    }
}
