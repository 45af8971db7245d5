import Foundation
import Support
import Testing

@testable import Market

/// Compares each ``WireSchema`` with the `.proto` file that specifies its message.
struct WireSchemaTests {
    private static let payloads: [String: WireSchema] = [
        "Media": Media.wireSchema, "Profile": Profile.wireSchema,
        "HomeLease": HomeLease.wireSchema, "Device": DeviceCertificate.wireSchema,
        "Listing": Listing.wireSchema, "Delivery": Delivery.wireSchema,
        "ShippingLimits": ShippingLimits.wireSchema, "Pickup": WireSchema(.text),
        "Online": WireSchema(), "Terms": SaleTerms.wireSchema,
        "EscrowOffer": EscrowTerms.wireSchema, "DirectOffer": DirectSaleTerms.wireSchema,
        "AuctionOffer": AuctionTerms.wireSchema, "CourseOffer": CourseTerms.wireSchema,
        "Anchor": ListingAnchor.wireSchema, "Promise": ListingCommitment.wireSchema,
        "Session": CurriculumSession.wireSchema,
        "Withdrawal": ListingWithdrawal.wireSchema, "Review": Review.wireSchema,
        "Curation": Curation.wireSchema, "CurationEntry": Curation.Entry.wireSchema,
    ]
    private static let mail: [String: WireSchema] = [
        "MailEnvelope": MailEnvelope.wireSchema, "MailMessage": SignedMail.wireSchema,
        "MailStatement": MailMessage.wireSchema, "MailText": WireSchema(.text),
        "MailReceipt": WireSchema(.repeated(.message(MailMark.wireSchema))),
        "MailReport": MailReport.wireSchema, "MailAddress": MailAddress.wireSchema,
        "MailException": MailException.wireSchema, "MailWork": MailWork.wireSchema,
        "MailNote": MailNote.wireSchema, "MailPicture": MailPicture.wireSchema,
        "MailPriceOffer": MailPriceOffer.wireSchema,
        "MailMark": MailMark.wireSchema, "MailRange": NumberRanges.wireSchema,
        "PrekeyBundle": PrekeyBundle.wireSchema,
        "PrekeyStatement": PrekeyBundle.statementSchema, "Prekey": PrekeyBundle.Key.wireSchema,
    ]
    private static let record = ["Record": UnverifiedRecord.wireSchema]
    private static let scalars: [String: WireSchema.Field] = [
        "bytes": .bytes, "string": .text, "uint64": .uint64, "uint32": .uint32,
        "sint32": .sint32, "bool": .bool,
    ]

    @Test(arguments: ["payload", "mail", "record"])
    func `every message has the fields of its definition`(file: String) throws {
        let all = ["payload": Self.payloads, "mail": Self.mail, "record": Self.record]
        let schemas = try #require(all[file])
        let url = projectRoot.appending(path: "Sources/Market/Wire/\(file).proto")
        let text = try String(contentsOf: url, encoding: .utf8)
        let enums = Set(text.matches(of: /(?m)^enum (\w+)/).map { String($0.output.1) })
        let messages = text.matches(of: /(?m)^message (\w+) \{\n((?:.*\n)*?)\}$/)
        #expect(Set(messages.map { String($0.output.1) }) == Set(schemas.keys))

        for message in messages {
            let (name, body) = (String(message.output.1), message.output.2)
            var fields: [Int: WireSchema.Field] = [:]
            var members: [Int] = []
            for line in body.matches(of: /(?m)^( +)(repeated )?(\w+) \w+ = (\d+);$/) {
                let number = try #require(Int(line.output.4))
                let type = String(line.output.3)
                let field = try #require(Self.field(type, enums, schemas), "\(name): \(type)")
                fields[number] = line.output.2 == nil ? field : .repeated(field)
                if line.output.1.count == 4 { members.append(number) }
            }
            let schema = try #require(schemas[name])
            #expect(schema.oneOf.map(Array.init) ?? [] == members, "\(name)")
            #expect(fields.keys.sorted() == Array(1..<fields.count + 1), "\(name)")
            #expect(schema.fields == fields.keys.sorted().compactMap { fields[$0] }, "\(name)")
        }
    }

    private static func field(
        _ type: String,
        _ enums: Set<String>,
        _ schemas: [String: WireSchema]
    ) -> WireSchema.Field? {
        if let scalar = scalars[type] { return scalar }
        if enums.contains(type) { return .enumeration }
        return schemas[type].map { .message($0) }
    }
}
