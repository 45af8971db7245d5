import Keys

extension Listing {
    init(wire: WireListing) throws(RuleFault) {
        let form: Form =
            switch wire.form {
            case .goods: .goods
            case .digital: .digital
            case .course: .course
            case .unspecified, .UNRECOGNIZED: throw .malformed(.form)
            }
        try self.init(
            form: form,
            title: wire.title,
            description: wire.description_p,
            category: wire.category,
            tags: wire.tags,
            media: Media.list(wire.media, .media, countMax: ListingRules.goodsMediaMax),
            identifier: ItemIdentifier(normal: wire.identifier),
            delivery: Delivery(wire: wire.delivery),
            chain: ChainID(wire.chainID),
            terms: SaleTerms(wire: wire.terms),
            endsAt: wire.endsAtMs == 0 ? nil : Timestamp(milliseconds: wire.endsAtMs),
            anchor: wire.hasAnchor ? ListingAnchor(wire: wire.anchor) : nil
        )
    }

    var wire: WireListing {
        var wire = WireListing()
        wire.form =
            switch form {
            case .goods: .goods
            case .digital: .digital
            case .course: .course
            }
        wire.title = title
        wire.description_p = description
        wire.category = category
        wire.tags = tags
        wire.media = media.map(\.wire)
        wire.identifier = identifier.text
        wire.delivery = delivery.wire
        wire.chainID = chain.number
        wire.terms = terms.wire
        wire.endsAtMs = endsAt?.milliseconds ?? 0
        if let anchor { wire.anchor = anchor.wire }
        return wire
    }
}

extension ListingAnchor {
    init(wire: WireAnchor) throws(RuleFault) {
        guard let contract = Address(wire.contract), contract != .zero,
            let sale = Bytes32(wire.sale)
        else { throw .malformed(.anchor) }
        self.init(
            contract: contract,
            sale: SaleID(sale),
            promised: wire.hasPromised ? try ListingCommitment(wire: wire.promised) : nil
        )
    }

    var wire: WireAnchor {
        var wire = WireAnchor()
        wire.contract = contract.data
        wire.sale = sale.hash.data
        if let promised { wire.promised = promised.wire }
        return wire
    }
}
