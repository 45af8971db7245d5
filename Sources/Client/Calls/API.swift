/// All calls of the API, by subject.
///
/// A call is one property of a group. The node does not start with a call that has no handler.
package enum API {
    package static let accounts = AccountCalls()
    package static let sessions = SessionCalls()
    package static let node = NodeCalls()
    package static let wallet = WalletCalls()
    package static let operations = OperationCalls()
    package static let listings = ListingCalls()
    package static let sales = SaleCalls()
    package static let offers = PriceOfferCalls()
    package static let reputation = ReputationCalls()
    package static let conversations = ConversationCalls()
    package static let homes = HomeCalls()
    package static let curations = CurationCalls()
    package static let saved = SavedCalls()
    package static let media = MediaCalls()

    /// Each call with its own name, such as `salesBuy`.
    package static let named: [(name: String, facts: CallFacts)] = [
        members(of: accounts, "accounts"), members(of: sessions, "sessions"),
        members(of: node, "node"), members(of: wallet, "wallet"),
        members(of: operations, "operations"), members(of: listings, "listings"),
        members(of: sales, "sales"), members(of: offers, "offers"),
        members(of: reputation, "reputation"),
        members(of: conversations, "conversations"), members(of: homes, "homes"),
        members(of: curations, "curations"), members(of: saved, "saved"),
        members(of: media, "media"),
    ].flatMap(\.self)

    package static let all = named.map(\.facts)

    /// Returns the calls of a group, which are its properties.
    private static func members(
        of group: any Sendable,
        _ name: String
    ) -> [(name: String, facts: CallFacts)] {
        Mirror(reflecting: group).children.compactMap { label, value in
            guard let label, let call = value as? any AnyAPICall else { return nil }
            return (name + label.prefix(1).uppercased() + label.dropFirst(), call.facts)
        }
    }
}
