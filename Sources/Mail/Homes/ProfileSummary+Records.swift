package import Client
package import Keys
import Market
import MediaFiles
import Records
package import Storage

extension ReadableTransaction where Self: ~Copyable {
    /// Returns an account with the name and picture of its profile, as far as this node has it.
    package func summary(of account: Address) throws -> ProfileSummary {
        let profile = try profile(of: account)?.profile
        return ProfileSummary(
            account: account.checksummed,
            name: profile.flatMap { $0.name.isEmpty ? nil : $0.name },
            avatar: profile?.avatar.map(ListingMedia.init)
        )
    }
}
