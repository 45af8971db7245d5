import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Keys of digital works as bodies of mail.
struct MailWorkTests {
    private static func work(_ byteCount: UInt64 = 100, name: String = "song.flac") throws
        -> MailWork
    {
        try MailWork(
            for: MailBodySamples.sale,
            file: Bytes32(repeating: 4),
            blob: Bytes32(repeating: 5),
            byteCount: byteCount,
            key: Bytes32(repeating: 6),
            name: name
        )
    }

    @Test func `reads back the key of a work from its bytes`() throws {
        let work = try Self.work()
        try MailBodySamples.expectsReading(.work(work), from: work.body)
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
            try MailBodySamples.fault(MailWork.field, content) == nil
        }
        #expect(try isRead(wire { _ in }))
        let short = [UInt8](repeating: 2, count: 31)
        for content in [
            wire { $0.length = 0 }, wire { $0.length = Media.byteCountMax + 1 },
            wire { $0.name = "" }, wire { $0.name = "../a" }, wire { $0.key = .init(short) },
            wire { $0.blob = .init(short) }, wire { $0.file = .init(short) },
        ] {
            #expect(try !isRead(content))
        }
    }
}
