import Client

/// The names and stars of the sellers of some listings.
struct Sellers {
    /// The maximum number of sellers that are asked for; the others have a short address, and no
    /// stars.
    private static let askedMax = 32

    var names = Names.none
    /// The average of the reviews of each seller who has any, such as `4.5`.
    var stars: [String: String] = [:]

    /// Asks the node; a seller about whom it says nothing is an address.
    static func of(_ listings: [Listing], _ node: StoaClient, own: String? = nil) async -> Sellers {
        let accounts = listings.map(\.author)
        var sellers = Sellers()
        sellers.names = await Names.of(node, own: own).with(profilesOf: accounts, node)
        for account in Set(accounts).sorted().prefix(askedMax) {
            guard let rating = try? await node.reputation(of: account).rating else { continue }
            sellers.stars[account] = "\(rating / 100).\(rating % 100 / 10)"
        }
        return sellers
    }
}

extension Names {
    /// The maximum number of profiles that are asked for at once.
    private static let profilesMax = 32
    private static let columnsMax = 24

    /// Returns these names, with those that other accounts give themselves in their profiles.
    ///
    /// Anybody can choose any name, so such a name is always shown with the address.
    func with(profilesOf accounts: [String], _ node: StoaClient) async -> Names {
        var names = self
        let strangers = Set(accounts.filter { !isKnown($0) })
        for account in strangers.sorted().prefix(Self.profilesMax) {
            guard let profile = try? await node.profile(of: account) else { continue }
            let name = DisplayWidth.cut(DisplayText.line(profile.name), to: Self.columnsMax)
            names.profiles[account] = name
        }
        return names
    }
}
