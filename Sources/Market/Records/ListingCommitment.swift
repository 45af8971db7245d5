package import Keys

/// A seller's commitment: the sale on the chain carries the hash of these bytes.
///
/// It remains when the listing changes, so that a dispute has evidence.
///
/// Source: Docs/protocol.md, section 6.2.
package struct ListingCommitment: Hashable, Sendable {
    /// The slot of the listing, so that only one listing can belong to the sale.
    package let slot: Bytes32
    package let title: String
    package let description: String
    /// The ids of the files, in order.
    package let media: [Bytes32]
    package let identifier: ItemIdentifier
    package let delivery: Delivery
    package private(set) var terms: SaleTerms
    package let curriculum: [CurriculumSession]

    /// Creates the commitment to the present content of `listing`.
    package init(of listing: Listing, slot: Bytes32) {
        self.slot = slot
        title = listing.title
        description = listing.description
        media = listing.media.map(\.id)
        identifier = listing.identifier
        delivery = listing.delivery
        terms = listing.terms
        curriculum = listing.curriculum
    }

    /// Whether a single item that it promises is a digital work: no other item is delivered online.
    package var isOfWork: Bool { delivery.method == .online }

    static let wireSchema = WireSchema(
        .bytes,
        .text,
        .text,
        .repeated(.bytes),
        .text,
        .message(Delivery.wireSchema),
        .message(SaleTerms.wireSchema),
        .repeated(.message(CurriculumSession.wireSchema))
    )

    init(wire: WireFields) throws(RuleFault) {
        guard let slot = Bytes32(wire.bytes(1)) else { throw .malformed(.anchor) }
        var media: [Bytes32] = []
        for id in wire.allBytes(4) {
            guard let id = Bytes32(id) else { throw .malformed(.anchor) }
            media.append(id)
        }
        guard media.count <= ListingRules.goodsMediaMax else {
            throw .tooMany(.anchor, countMax: ListingRules.goodsMediaMax)
        }
        self.slot = slot
        title = try PlainText.line(
            wire.text(2),
            .anchor,
            byteCountMax: ListingRules.titleByteCountMax
        )
        description = try PlainText.lines(
            wire.text(3),
            .anchor,
            byteCountMax: ListingRules.descriptionByteCountMax
        )
        self.media = media
        identifier = try ItemIdentifier(normal: wire.text(5))
        delivery = try Delivery(wire: wire.message(6))
        terms = try SaleTerms(wire: wire.message(7))
        curriculum = try CurriculumSession.list(wire.messages(8))
        try CurriculumSession.check(curriculum, beside: description)
        try terms.checkLimits()
    }

    /// The canonical bytes.
    package var bytes: [UInt8] { wire }

    /// The hash that the sale carries.
    package var hash: Bytes32 { Keccak256.hash(bytes) }

    /// Returns the same promise on other terms, as at another price.
    package func with(_ terms: SaleTerms) -> ListingCommitment {
        var copy = self
        copy.terms = terms
        return copy
    }

    /// Whether a sale was made for the same promise, whatever its terms.
    package func isKept(from sale: Sale) -> Bool {
        guard let terms = sale.state.offer else { return false }
        return with(terms).hash == sale.state.promise
    }

    /// Returns the fields in which `listing` differs.
    package func changes(in listing: Listing) -> Set<PayloadField> {
        let other = ListingCommitment(of: listing, slot: slot)
        var changes: Set<PayloadField> = []
        if title != other.title { changes.insert(.title) }
        if description != other.description { changes.insert(.description) }
        if media != other.media { changes.insert(.media) }
        if identifier != other.identifier { changes.insert(.identifier) }
        if delivery != other.delivery { changes.insert(.delivery) }
        if terms != other.terms { changes.insert(.terms) }
        if curriculum != other.curriculum { changes.insert(.curriculum) }
        return changes
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, slot.bytes)
        wire.write(2, title)
        wire.write(3, description)
        wire.write(4, all: media.map(\.bytes))
        wire.write(5, identifier.text)
        wire.member(6, delivery.wire)
        wire.member(7, terms.wire)
        wire.write(8, all: curriculum.map(\.wire))
        return wire.bytes
    }
}
