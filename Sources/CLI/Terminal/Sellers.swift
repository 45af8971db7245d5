import Answers
import Client

/// The names and stars of the sellers of some listings.
struct Sellers {
    var names = Names.none
    /// The average of the reviews of each seller who has any, such as `4.5`.
    var stars: [String: String] = [:]

    /// Takes what a search says of the sellers, and asks the node for the caller's own names.
    static func of(_ listings: [Listing], _ node: StoaClient, own: String? = nil) async -> Sellers {
        var sellers = Sellers()
        sellers.names = await Names.of(node, own: own)
        for listing in listings {
            sellers.names.add(profile: listing.seller?.name, of: listing.author)
            sellers.stars[listing.author] = listing.seller?.rating.map { rating in
                "\(rating / 100).\(rating % 100 / 10)"
            }
        }
        return sellers
    }
}

extension Names {
    /// The maximum number of profiles that are asked for at once.
    private static let profilesMax = 32
    private static let columnsMax = 24

    /// Adds the name in an account's profile, unless the account is known by another one, or the
    /// name is misleading.
    mutating func add(profile name: String?, of account: String) {
        guard let name, !isKnown(account), !ChosenName.isMisleading(name) else { return }
        profiles[account] = DisplayWidth.cut(DisplayText.line(name), to: Self.columnsMax)
    }

    /// Returns these names, with those that other accounts give themselves in their profiles.
    ///
    /// Anybody can choose any name, so such a name is always shown with the address.
    func with(profilesOf accounts: [String], _ node: StoaClient) async -> Names {
        var names = self
        let strangers = Set(accounts.filter { !isKnown($0) })
        for account in strangers.sorted().prefix(Self.profilesMax) {
            guard let profile = try? await node.profile(of: account) else { continue }
            names.add(profile: profile.name, of: account)
        }
        return names
    }
}
