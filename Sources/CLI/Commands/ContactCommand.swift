import ArgumentParser
import Client

/// The command `stoa contact …`.
struct ContactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact",
        abstract: "Give accounts names that only you see.",
        subcommands: [List.self, Name.self, Remove.self]
    )

    struct List: AccountCall {
        static let configuration = command("Show the accounts that you have named.")
        static let examples = ["contact list"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.contacts()) { contacts in
                var table = TextTable("name", "account", "calls itself", "since")
                for contact in contacts {
                    table.add(
                        DisplayText.line(contact.name) + (contact.isBlocked ? ", blocked" : ""),
                        contact.account,
                        contact.profileName.map(DisplayText.line) ?? "",
                        TimeText.text(contact.since)
                    )
                }
                return table.text(orElse: "You have not named any accounts.")
            }
        }
    }

    struct Name: AccountCall {
        static let configuration = command("Give an account a name, or change the name.")
        static let examples = [
            "contact name 0x52908400098527886E0F7030069857D2E4169EE7 'Bo from the market'"
        ]

        @Argument(help: "The account: its address, or a name that you know.") var account: String
        @Argument(help: "The name, at most 64 bytes.") var name: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let contact = try await node.name(account, name)
            try options.output.show(contact) {
                "\($0.account) is \(DisplayText.line($0.name)) for you."
            }
        }
    }

    struct Remove: AccountCall {
        static let configuration = command("Remove the name of an account.")
        static let examples = ["contact remove 'Bo from the market'"]

        @Argument(help: "The account: its address or name.") var account: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await node.removeContact(account)
            options.output.note("Removed.")
        }
    }
}
