import Client
import Keys
import Market

extension ActionPreview.PreviewedSale {
    /// A sale as shown to an account that is about to sign something in it.
    init(_ sale: Market.Sale, title: String?, to account: Address) {
        let parties = [("seller", sale.seller as Address?), ("buyer", sale.buyer)]
        self.init(
            id: sale.id.description,
            title: title,
            others: parties.compactMap { role, party in
                guard let party, party != account else { return nil }
                return ActionPreview.Party(role: role, account: party.checksummed)
            }
        )
    }
}
