package import Keys

/// A seller's offer.
///
/// The initialiser checks ``ListingRules``, so every value keeps them.
package struct Listing: Hashable, Sendable {
    /// The kind of thing that is offered.
    package enum Form: String, CaseIterable, Sendable {
        case goods, digital, course
    }

    package let form: Form
    package let title: String
    package let description: String
    package let category: String
    package let tags: [String]
    package let media: [Media]
    /// The sessions of a course, in order; empty for other forms.
    package let curriculum: [CurriculumSession]
    /// In its normal form, see ``ItemIdentifier``.
    package let identifier: ItemIdentifier
    package let delivery: Delivery
    /// The chain whose currency is asked for.
    package let chain: ChainID
    package let terms: SaleTerms
    /// When the listing is no longer shown.
    package let endsAt: Timestamp?
    /// The sale that backs it, if there is one.
    package private(set) var anchor: ListingAnchor?
    /// Its role among several pieces of one thing; `nil` for a single thing.
    package private(set) var pieces: PieceRole?

    /// Whether it is the first of several pieces, and stands for all of them.
    package var standsForPieces: Bool { if case .first = pieces { true } else { false } }

    package init(
        form: Form,
        title: String,
        description: String,
        category: String,
        tags: [String],
        media: [Media] = [],
        curriculum: [CurriculumSession] = [],
        identifier: ItemIdentifier,
        delivery: Delivery,
        chain: ChainID,
        terms: SaleTerms,
        endsAt: Timestamp? = nil,
        anchor: ListingAnchor? = nil,
        pieces: PieceRole? = nil
    ) throws(RuleFault) {
        self.form = form
        self.title = title
        self.description = description
        self.category = category
        self.tags = tags
        self.media = media
        self.curriculum = curriculum
        self.identifier = identifier
        self.delivery = delivery
        self.chain = chain
        self.terms = terms
        self.endsAt = endsAt
        self.anchor = anchor
        self.pieces = pieces
        try ListingRules.check(self)
    }

    /// The sale it names; `nil` if it names none.
    package var sale: SaleReference? {
        anchor.map {
            SaleReference(contract: .init(chain: chain, address: $0.contract), id: $0.sale)
        }
    }

    /// The texts that a wallet shows when the listing is signed.
    var summary: String { terms.offer.summary(offering: title, on: chain) }

    /// Returns the same listing at a role among several pieces.
    package func with(_ pieces: PieceRole?) -> Listing {
        var copy = self
        copy.pieces = pieces
        return copy
    }

    /// Returns the same listing with the sale that backs it.
    ///
    /// `promised` is the commitment whose hash the sale carries, if the listing has changed since.
    package func anchored(
        contract: Address,
        sale: SaleID,
        promised: ListingCommitment? = nil
    ) -> Listing {
        var copy = self
        copy.anchor = ListingAnchor(contract: contract, sale: sale, promised: promised)
        return copy
    }
}

/// The sale on the listing's chain that backs it.
package struct ListingAnchor: Hashable, Sendable {
    package let contract: Address
    package let sale: SaleID
    /// The commitment when the sale was listed; `nil` while the listing is unchanged.
    package let promised: ListingCommitment?

    package init(contract: Address, sale: SaleID, promised: ListingCommitment?) {
        (self.contract, self.sale, self.promised) = (contract, sale, promised)
    }
}

extension Listing {
    static let wireSchema = WireSchema(
        .enumeration,
        .text,
        .text,
        .text,
        .repeated(.text),
        .repeated(.message(Media.wireSchema)),
        .text,
        .message(Delivery.wireSchema),
        .uint64,
        .message(SaleTerms.wireSchema),
        .uint64,
        .message(ListingAnchor.wireSchema),
        .message(ListingWithdrawal.wireSchema),
        .repeated(.message(CurriculumSession.wireSchema)),
        .uint32,
        .bytes
    )
    static let wireTerms: Int = 10
    /// Instead of all other fields: the author withdraws a listing that has a sale.
    static let wireWithdrawal: UInt64 = 13
    /// By their number on the wire, from 1.
    private static let wireForms: [Form] = [.goods, .digital, .course]

    init(wire: WireFields) throws(RuleFault) {
        guard let form = Self.wireForms[numbered: wire.number(1)] else { throw .malformed(.form) }
        let endsAt = wire.number(11)
        try self.init(
            form: form,
            title: wire.text(2),
            description: wire.text(3),
            category: wire.text(4),
            tags: wire.texts(5),
            media: Media.list(wire.messages(6), .media, countMax: ListingRules.goodsMediaMax),
            curriculum: CurriculumSession.list(wire.messages(14)),
            identifier: ItemIdentifier(normal: wire.text(7)),
            delivery: Delivery(wire: wire.message(8)),
            chain: ChainID(wire.number(9)),
            terms: SaleTerms(wire: wire.message(Self.wireTerms)),
            endsAt: endsAt == 0 ? nil : Timestamp(milliseconds: endsAt),
            anchor: wire.has(12) ? ListingAnchor(wire: wire.message(12)) : nil,
            pieces: PieceRole(wire: wire)
        )
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, Self.wireForms.number(of: form))
        wire.write(2, title)
        wire.write(3, description)
        wire.write(4, category)
        wire.write(5, all: tags.map(\.utf8))
        wire.write(6, all: media.map(\.wire))
        wire.write(7, identifier.text)
        wire.member(8, delivery.wire)
        wire.write(9, chain.number)
        wire.member(10, terms.wire)
        wire.write(11, endsAt?.milliseconds ?? 0)
        if let anchor { wire.member(12, anchor.wire) }
        wire.write(14, all: curriculum.map(\.wire))
        switch pieces {
        case .first(let count): wire.write(15, UInt64(count))
        case .further(let first): wire.write(16, first.bytes)
        case nil: break
        }
        return wire.bytes
    }
}

extension PieceRole {
    /// Reads the role of a listing; `nil` for a single thing.
    fileprivate init?(wire: WireFields) throws(RuleFault) {
        let (count, first) = (wire.number(15), wire.bytes(16))
        guard count == 0 || first.isEmpty else { throw .malformed(.pieces) }
        if count > 0 {
            self = .first(count: Int(clamping: count))
        } else if !first.isEmpty {
            guard let slot = Bytes32(first) else { throw .malformed(.pieces) }
            self = .further(of: slot)
        } else {
            return nil
        }
    }
}

extension ListingAnchor {
    static let wireSchema = WireSchema(.bytes, .bytes, .message(ListingCommitment.wireSchema))

    init(wire: WireFields) throws(RuleFault) {
        guard let contract = Address(wire.bytes(1)), contract != .zero,
            let sale = Bytes32(wire.bytes(2))
        else { throw .malformed(.anchor) }
        self.init(
            contract: contract,
            sale: SaleID(sale),
            promised: wire.has(3) ? try ListingCommitment(wire: wire.message(3)) : nil
        )
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, contract.bytes)
        wire.write(2, sale.hash.bytes)
        if let promised { wire.member(3, promised.wire) }
        return wire.bytes
    }
}
