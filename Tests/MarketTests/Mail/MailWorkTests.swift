import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Keys of digital works as bodies of mail.
struct MailWorkTests {
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

    private static func work(_ byteCount: UInt64 = 100, name: String = "song.flac") throws
        -> MailWork
    {
        try MailWork(
            for: sale,
            file: Bytes32(repeating: 4),
            blob: Bytes32(repeating: 5),
            byteCount: byteCount,
            key: Bytes32(repeating: 6),
            name: name
        )
    }

    @Test func `reads back the key of a work from its bytes`() throws {
        let work = try Self.work()
        let signed = try Self.message(.work(work)).signed(by: Self.phone)
        let read = try SignedMail(signed.bytes).verified(for: Samples.bo.address, network: "test")
        #expect(read.body == .work(work) && read.body.byteCount == work.body.content.count)
        let unknown = try Self.message(.unknown(work.body)).signed(by: Self.phone)
        #expect(unknown.bytes == signed.bytes)
    }

    @Test func `limits lengths and names`() {
        #expect(throws: Never.self) { try Self.work(Media.byteCountMax) }
        #expect(throws: RuleFault.self) { try Self.work(Media.byteCountMax + 1) }
        #expect(throws: RuleFault.self) { try Self.work(0) }
        // No file is left of so few bytes.
        #expect(throws: RuleFault.self) { try Self.work(28) }
        #expect(throws: Never.self) { try Self.work(29) }
        #expect(throws: Never.self) { try Self.work(name: String(repeating: "x", count: 160)) }
        for name in [
            "", " ", "a/b", ".", "..", "a\nb", "a\u{202E}b", String(repeating: "x", count: 161),
        ] {
            #expect(throws: RuleFault.self, "\(name)") { try Self.work(name: name) }
        }
    }

    @Test func `refuses a key whose content breaks a rule`() throws {
        func wire(_ change: (inout WireMailWork) -> Void) -> [UInt8] {
            var wire = WireMailWork()
            wire.chain = 31_337
            wire.contract = .init([UInt8](repeating: 1, count: 20))
            let id = [UInt8](repeating: 2, count: 32)
            (wire.sale, wire.file, wire.blob, wire.key) = (
                .init(id), .init(id), .init(id), .init(id)
            )
            (wire.length, wire.name) = (100, "a")
            change(&wire)
            return CanonicalMessage.bytes(of: wire)
        }
        func isRead(_ content: [UInt8]) throws -> Bool {
            let body = UnknownMailBody(field: MailWork.field, content: content)
            let signed = try Self.message(.unknown(body)).signed(by: Self.phone)
            return (try? SignedMail(signed.bytes)) != nil
        }
        #expect(try isRead(wire { _ in }))
        let short = [UInt8](repeating: 2, count: 31)
        for content in [
            wire { $0.length = 0 }, wire { $0.length = Media.byteCountMax + 1 },
            wire { $0.name = "" }, wire { $0.name = "../a" }, wire { $0.key = .init(short) },
            wire { $0.blob = .init(short) }, wire { $0.file = .init(short) },
            wire { $0.sale = .init(short) }, wire { $0.contract = .init(short) }, [0xFF],
        ] {
            #expect(try !isRead(content))
        }
    }
}
