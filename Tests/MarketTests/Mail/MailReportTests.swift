import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

/// Reports as bodies of mail.
struct MailReportTests {
    private static let subjects: [MailReport.Subject] = [
        .node, .account(Samples.ana.address),
        .listing(Bytes32(repeating: 3), by: Samples.ana.address),
        .review(RecordID(Bytes32(repeating: 4)), by: Samples.ana.address),
    ]

    @Test(arguments: subjects)
    func `reads back a report from its bytes`(subject: MailReport.Subject) throws {
        let report = try MailReport(about: subject, text: "A copy\nof mine.")
        try MailBodySamples.expectsReading(.report(report), from: report.body)
    }

    @Test func `a report may have fields that later versions add to all messages`() throws {
        let report = try MailReport(about: .node, text: "Slow.")
        let signed = try MailBodySamples.signed(.report(report))
        var mail = try WireMailMessage(serializedBytes: signed.bytes)
        // Field 12 with one byte, before the body.
        let body = 3 + report.body.content.count
        var statement = [UInt8](mail.statement)
        statement.insert(contentsOf: [12 << 3 | 2, 1, 7], at: statement.count - body)
        mail.statement = .init(statement)
        mail.signature = .init(MailBodySamples.phone.sign(statement, as: .mail).bytes)
        let read = try SignedMail(CanonicalMessage.bytes(of: mail))
        #expect(read.message.body == .report(report))
    }

    @Test func `refuses a report whose content breaks a rule`() throws {
        func wire(_ change: (inout WireMailReport) -> Void) -> [UInt8] {
            var wire = WireMailReport()
            wire.text = "A copy."
            change(&wire)
            return CanonicalMessage.bytes(of: wire)
        }
        let (address, id) = ([UInt8](repeating: 1, count: 20), [UInt8](repeating: 2, count: 32))
        let contents: [[UInt8]] = [
            wire { $0.text = "" }, wire { $0.text = " " }, wire { $0.text = "a\u{202E}b" },
            wire { $0.text = String(repeating: "x", count: 4_097) },
            wire { $0.account = .init(address.dropLast()) },
            wire { $0.account = .init([UInt8](repeating: 0, count: 20)) },
            wire { $0.listing = .init(id) }, wire { $0.review = .init(id) },
            wire { ($0.account, $0.listing) = (.init(address), .init(id.dropLast())) },
            wire { ($0.account, $0.review) = (.init(address), .init(id + [0])) },
            wire {
                ($0.account, $0.listing, $0.review) = (.init(address), .init(id), .init(id))
            },
            [0xFF], wire { _ in } + [0x22, 0],
        ]
        for content in contents {
            let fault = try MailBodySamples.fault(MailReport.field, content)
            #expect(fault == .malformed, "\(content)")
        }
        #expect(try MailBodySamples.fault(MailReport.field, wire { _ in }) == nil)
    }

    @Test func `limits the length of a report`() throws {
        let most = String(repeating: "x", count: MailReport.textByteCountMax)
        #expect(throws: Never.self) { try MailReport(about: .node, text: most) }
        #expect(throws: RuleFault.tooLong(.text, byteCountMax: 4_096)) {
            try MailReport(about: .node, text: most + "x")
        }
        #expect(throws: RuleFault.missing(.text)) { try MailReport(about: .node, text: "") }
    }
}
