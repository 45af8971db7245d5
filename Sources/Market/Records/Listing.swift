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
