import Foundation
import NodeAPI
import Testing

/// The values of the API that people see have words in every language of `Texts`.
struct WordsTests {
    private typealias Object = [String: Any]

    /// The areas of the words, by the schemas and properties whose values they are for.
    private static let areas = [
        "ActionPreview.action": "action", "ActionPreviewOutgoing.purpose": "purpose",
        "ActionPreviewParty.role": "role",
        "IdentifierCheckUse.state": "state", "Listing.changes": "field", "Listing.own": "role",
        "Listing.salePhase": "phase", "Listing.state": "state",
        "ListingContent.delivery": "delivery", "ListingContent.payment": "payment",
        "ListingContent.type": "type", "ListingRow.own": "role", "ListingRow.payment": "payment",
        "ListingRow.state": "state", "ListingRow.type": "type", "Message.state": "messageState",
        "Operation.kind": "operation", "Operation.state": "operationState",
        "OperationPhase.name": "step", "OperationPhase.state": "stepState",
        "PriceOffer.state": "offerState",
        "Problem.code": "problem", "RecoveredHome.vault": "homeVault",
        "RecoveryGap.what": "missing", "Report.state": "messageState", "Review.outcome": "outcome",
        "Sale.kind": "payment", "Sale.own": "role", "Sale.phase": "phase", "Sale.stage": "stage",
        "SalePayout.role": "role", "SaleProposal.role": "role", "SaleRound.own": "seat",
        "SaleRound.phase": "phase", "SavedListing.state": "state",
        "SearchTerms.delivery": "delivery",
        "SearchTerms.payment": "payment", "SearchTerms.sort": "sort",
        "SignatureRequest.kind": "operation",
        "UnattendedMoves.moves": "unattendedMove", "UnattendedRequest.moves": "unattendedMove",
        "WalletLocked.phase": "phase", "WalletMovement.kind": "movement",
    ]
    /// Values for programs: types of files, how fees are stated, who began a link, and which fields
    /// a message has.
    private static let unshown: Set<String> = [
        "AddedMedia.type", "ListingMedia.type", "ChainStatus.fees", "Peer.direction",
        "MediaFile.type", "Message.kind",
    ]

    private static func schemas() throws -> [String: Object] {
        let read = try JSONSerialization.jsonObject(with: APIDocument.json()) as? Object
        let components = try #require(read?["components"] as? Object)
        return try #require(components["schemas"] as? [String: Object])
    }

    @Test func `each text in the node's words has its sentences beside it`() throws {
        for (name, schema) in try Self.schemas() where name != "Sentence" {
            let properties = schema["properties"] as? [String: Object] ?? [:]
            let texts = ["detail", "problem"].filter { name in
                let type = properties[name]?["type"]
                return type as? String == "string" || (type as? [String])?.first == "string"
            }
            guard !texts.isEmpty else { continue }
            let hasSentences = properties.values.contains { form in
                ((form["items"] as? Object)?["$ref"] as? String)?.hasSuffix("/Sentence") == true
            }
            #expect(hasSentences, "\(texts) of \(name)")
        }
    }

    @Test func `each value that people see has words in each language`() throws {
        let schemas = try Self.schemas()
        let folder = URL(filePath: #filePath).appending(path: "../../../../Texts").standardized
        let languages = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        #expect(languages.count > 1)
        let texts = try languages.map {
            try JSONDecoder().decode([String: String].self, from: Data(contentsOf: $0))
        }
        var found: Set<String> = []
        for (name, schema) in schemas {
            for (property, form) in schema["properties"] as? [String: Object] ?? [:] {
                let items = form["items"] as? Object
                guard let values = (form["enum"] ?? items?["enum"]) as? [Any] else { continue }
                let type = name.hasSuffix("Input") ? String(name.dropLast(5)) : name
                let place = "\(type).\(property)"
                found.insert(place)
                guard !Self.unshown.contains(place) else { continue }
                if place == "Sentence.code" {
                    for text in texts {
                        let codes = text.keys.filter { !$0.hasPrefix("page.") }
                        #expect(Set(values.compactMap { $0 as? String }) == Set(codes))
                    }
                    continue
                }
                let area = try #require(Self.areas[place], "\(place) has no area of words")
                for value in values.compactMap({ $0 as? String }) {
                    let areLacking = texts.contains { $0["\(area).\(value)"] == nil }
                    #expect(!areLacking, "\(area).\(value), of \(place)")
                }
            }
        }
        // No place is listed that the document does not have.
        #expect(Set(Self.areas.keys).union(Self.unshown).union(["Sentence.code"]) == found)
    }
}
