import ArgumentParser
import Client

/// The command `stoa account device …`.
struct AccountDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "List and revoke the account's devices: one for each of its nodes.",
        discussion: """
            A device signs and opens the account's mail on one node. Revoke it if the node is \
            lost. Anyone who has that node and the account's password, or its phrase or key, \
            controls the account: in that case move your money to a new account.
            """,
        subcommands: [List.self, Revoke.self]
    )

    struct List: AccountCall {
        static let configuration = command("Show the account's devices.")
        static let examples = ["account device list"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.devices(), AccountDevices.list)
        }
    }

    struct Revoke: AccountCall {
        static let configuration = command(
            "Revoke a device for good: it can no longer send or fetch mail."
        )
        static let examples = ["account device revoke 5f3a9c1e"]

        @Argument(help: "The device: its id, or the first digits of the id.") var device: String
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try consent.obtain(
                for: "Revoke this device?",
                showing:
                    "A signed, public record will say that \(device) is no longer your device. "
                    + "You cannot undo this. This costs nothing.",
                asJSON: options.json
            )
            try await node.revoke(device: device)
            try options.output.show(try await node.devices(), AccountDevices.list)
        }
    }

    static func list(_ devices: [Device]) -> String {
        var table = TextTable("device", "since", "node")
        for device in devices {
            let name = device.isThisNode ? device.name + " (this node)" : device.name
            table.add(IDText.cell(device.id), TimeText.text(device.since), name)
        }
        return table.text(orElse: "No devices.")
    }
}
