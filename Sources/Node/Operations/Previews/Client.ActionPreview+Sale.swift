import Client
import Keys
import Market

extension ActionPreview.PreviewedSale {
    /// A sale as shown to an account that is about to sign something in it.
    init(_ sale: EscrowSale, title: String?, to account: Address) {
        let parties = [("seller", sale.seller as Address?), ("buyer", sale.buyer)]
        self.init(
            id: sale.reference.id.description,
            title: title,
            others: parties.compactMap { role, party in
                guard let party, party != account else { return nil }
                return ActionPreview.Party(role: role, account: party.checksummed)
            }
        )
    }
}

extension ActionPreview.Arbiter {
    /// The arbiter of some terms; `nil` if they have none.
    init?(_ terms: Market.EscrowTerms) {
        guard let arbiter = terms.arbiter else { return nil }
        self.init(account: arbiter.checksummed, fee: Money(terms.arbiterFee, terms.currency))
    }
}
