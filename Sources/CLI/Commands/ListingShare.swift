import ArgumentParser
import Client
import Foundation

/// The command `stoa listing share`.
struct ListingShare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Show a listing as a text to pass on, with a link and a QR code.",
        discussion: """
            Every command that takes a listing takes the link too. --png and --svg write the code \
            to a file; an existing file is replaced only with --force.
            """
    )

    @OptionGroup var options: CallOptions
    @Argument(help: .listing) var listing: String
    @OptionGroup var files: CodeFiles

    /// The answer for programs.
    struct Share: Encodable {
        let listing: String
        let link: String
        let text: String
    }

    func run() async throws {
        try files.check()
        try await options.asReader { node, _ in
            let found = try await node.listing(listing)
            let share = CurrencyUnits.on(found.content.chain) { Self.share(found) }
            let code = try QRCode(share.link)
            try files.write(code)
            if !options.json {
                Terminal.print(picture: code.lines(hasColours: Screen.output.hasColour))
            }
            try options.output.show(share) { $0.text }
            files.note(options.output)
        }
    }

    static func share(_ listing: Listing) -> Share {
        let link = "stoa:listing/" + listing.id
        let price = MoneyText.text(listing.price ?? listing.content.price)
        let text = [
            DisplayText.line(listing.content.title),
            price + ListingText.chain(listing.content.chain), link,
        ]
        return Share(listing: listing.id, link: link, text: text.joined(separator: "\n"))
    }
}
