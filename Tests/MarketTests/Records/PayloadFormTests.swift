import Foundation
import Market
import Support
import Testing

/// Compares the tables of ``PayloadForm`` with `payload.proto`, the source of the generated code.
struct PayloadFormTests {
    private static let forms: [String: PayloadForm] = [
        "Media": .media, "Profile": .profile, "HomeLease": .homeLease, "Device": .device,
        "Listing": .listing, "Delivery": .delivery, "ShippingLimits": .shippingLimits,
        "Pickup": .pickup, "Online": .online, "Terms": .terms, "EscrowOffer": EscrowTerms.form,
        "DirectOffer": DirectSaleTerms.form, "AuctionOffer": AuctionTerms.form,
        "CourseOffer": CourseTerms.form,
        "Anchor": .anchor, "Promise": .promise, "Withdrawal": .withdrawal, "Review": .review,
        "Curation": .curation, "CurationEntry": .curationEntry,
    ]
    private static let scalars: [String: PayloadForm.Field] = [
        "bytes": .bytes, "string": .bytes, "uint64": .uint64, "uint32": .uint32, "sint32": .uint32,
    ]

    @Test func `every message has the fields of its definition`() throws {
        let url = projectRoot.appending(path: "Sources/Market/Wire/payload.proto")
        let text = try String(contentsOf: url, encoding: .utf8)
        let enums = Set(text.matches(of: /(?m)^enum (\w+)/).map { String($0.output.1) })
        let messages = text.matches(of: /(?m)^message (\w+) \{\n((?:[^}]|\n  \})*?)\n?\}$/)
        #expect(Set(messages.map { String($0.output.1) }) == Set(Self.forms.keys))

        for message in messages {
            let (name, body) = (String(message.output.1), message.output.2)
            let lines = body.matches(of: /(?m)^ +(repeated )?(\w+) \w+ = (\d+);$/)
            var fields: [Int: PayloadForm.Field] = [:]
            for line in lines {
                let (isRepeated, type) = (line.output.1 != nil, String(line.output.2))
                let number = try #require(Int(line.output.3))
                let field = try #require(Self.field(type, enums), "\(name): \(type)")
                fields[number] = isRepeated ? .repeated(field) : field
            }
            let form = try #require(Self.forms[name])
            #expect(form.isOneOf == body.contains("  oneof "), "\(name)")
            // Such a message has no field beside it.
            #expect(!form.isOneOf || !body.contains(/(?m)^  (repeated )?\w+ \w+ =/), "\(name)")
            #expect(fields.keys.sorted() == Array(1..<fields.count + 1), "\(name)")
            #expect(form.fields == fields.keys.sorted().compactMap { fields[$0] }, "\(name)")
        }
    }

    private static func field(_ type: String, _ enums: Set<String>) -> PayloadForm.Field? {
        if let scalar = scalars[type] { return scalar }
        if enums.contains(type) { return .enumeration }
        return forms[type].map { .message($0) }
    }
}
