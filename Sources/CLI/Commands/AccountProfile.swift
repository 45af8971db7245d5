import ArgumentParser
import Client

/// The command `stoa account profile …`.
struct AccountProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show the public profiles of accounts, and change your own.",
        subcommands: [Show.self, Set.self],
        defaultSubcommand: Show.self
    )

    struct Show: LeafCommand {
        static let configuration = command(
            "Show an account's public profile; without an account, your own."
        )
        static let examples = ["account profile show", "account profile show anna"]

        @Argument(help: "The account, by name or address.") var account: String?
        @OptionGroup var options: CallOptions

        func run() async throws {
            if let account {
                try await options.asReader { node, _ in
                    try options.output.show(try await node.profile(of: account), ProfileText.text)
                }
            } else {
                try await options.asAccount { node in
                    let own = try await node.currentAccount().address
                    try options.output.show(try await node.profile(of: own), ProfileText.text)
                }
            }
        }
    }

    struct Set: LeafCommand {
        static let configuration = command(
            "Change your public profile. What you leave out stays as it is.",
            discussion: "Everybody can read it. An empty text removes what was there."
        )
        static let examples = [
            "account profile set --about 'I mend bicycles.' --region Bavaria --photo me.jpg"
        ]

        @Option(help: "The name that others see.") var name: String?
        @Option(help: "Something about you, at most 2,048 bytes.") var about: String?
        @Option(help: "Where you are, in your own words, such as 'Upper Bavaria'.")
        var region: String?
        @Option(
            help: "A picture: a file here, or the id of one that you have added.",
            completion: .file()
        )
        var photo: String?
        @Flag(help: "Remove the picture.") var noPhoto = false
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard name?.allSatisfy(\.isWhitespace) != true else {
                throw ValidationError("--name is empty. Others see this name, so give one.")
            }
            guard photo == nil || !noPhoto else {
                throw ValidationError("Give --photo or --no-photo, not both.")
            }
        }

        func run() async throws {
            // Checked here, so that an unknown option is named first.
            guard name != nil || about != nil || region != nil || photo != nil || noPhoto else {
                throw Failure(
                    .usage,
                    "Nothing to change. Give --name, --about, --region, --photo or --no-photo."
                )
            }
            try await options.asAccount { node in
                var avatar = noPhoto ? "" : nil
                if let photo { avatar = try await MediaInput.picture(photo, of: node) }
                let change = ProfileChange(name: name, about: about, avatar: avatar, region: region)
                try options.output.show(try await node.changeProfile(change), ProfileText.text)
            }
        }
    }
}

/// Formats profiles as text.
enum ProfileText {
    static func text(_ profile: AccountProfile) -> String {
        var lines = [
            "account    " + profile.account, "name       " + DisplayText.line(profile.name),
        ]
        if !profile.region.isEmpty {
            lines.append("region     " + DisplayText.line(profile.region))
        }
        if !profile.about.isEmpty { lines.append("about      " + DisplayText.setIn(profile.about)) }
        if let avatar = profile.avatar { lines.append("photo      \(avatar.id)") }
        lines.append("published  " + TimeText.text(profile.publishedAt))
        return lines.joined(separator: "\n")
    }
}
