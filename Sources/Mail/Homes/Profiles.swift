import Answers
package import Client
package import Keys
import Market
package import MediaFiles
import Records
import Setup
package import Storage

/// The public profiles of accounts: anybody's are read, those of this node's accounts changed.
package struct Profiles: Sendable {
    private let store: Store
    private let publisher: ProfilePublisher
    private let media: MediaService

    package init(store: Store, publisher: ProfilePublisher, media: MediaService) {
        (self.store, self.publisher, self.media) = (store, publisher, media)
    }

    /// Returns an account's profile, as far as it has reached this node.
    ///
    /// - Throws: ``Refusal`` with `bad_address`, `not_found`.
    package func profile(of text: String) throws -> AccountProfile {
        let account = try Address.entered(text, field: "account")
        guard let (profile, record) = try store.read({ try $0.profile(of: account) }) else {
            throw Refusal(
                .notFound,
                Sentence("refusal.noProfile", ["account": "\(account)"]),
                field: "account"
            )
        }
        return AccountProfile(
            account: account.checksummed,
            name: profile.name,
            about: profile.about,
            avatar: profile.avatar.map(ListingMedia.init),
            region: profile.region,
            publishedAt: record.version.createdAt.date
        )
    }

    /// Publishes changes of an account's profile; `nil` keeps a value.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`, `needs_unlock`, `signs_elsewhere`,
    ///   `not_allowed`.
    package func change(
        _ change: ProfileChange,
        of account: Address
    ) async throws -> AccountProfile {
        if let name = change.name,
            ChosenName.isMisleading(name) || Lookalikes.startsLikeAddress(name)
        {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.profileName", ["text": name.quoted]),
                field: "name"
            )
        }
        var edit = ProfileEdit(name: change.name, about: change.about, region: change.region)
        if let avatar = change.avatar {
            edit.avatar = .some(try await picture(avatar))
        }
        try await publisher.edit(edit, of: account)
        return try profile(of: account.text)
    }

    /// Returns the picture of an id; `nil` for none.
    private func picture(_ id: String) async throws -> Media? {
        guard !id.isEmpty else { return nil }
        let found = try await media.media([ListingMedia(id: id)], refusedAs: .malformedValue)
        guard let picture = found.first, picture.form.isImage else {
            throw Refusal(.malformedValue, Sentence("refusal.avatarPicture"), field: "avatar")
        }
        return picture
    }
}
