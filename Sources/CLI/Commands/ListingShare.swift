import ArgumentParser
import Client
import Foundation

/// The command `stoa listing share`.
struct ListingShare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Show a listing as a text to pass on, with a link and a QR code.",
        discussion: """
            Every command that takes a listing takes the link too. --png and --svg write the code to a \
            file.
            """
    )

    @OptionGroup var options: CallOptions
    @Argument(help: "The listing: its id or the first digits of it, or words of its title.")
    var listing: String
    @Option(help: "A file that gets the code as a PNG image.") var png: String?
    @Option(help: "A file that gets the code as an SVG image.") var svg: String?

    /// The answer for programs.
    struct Share: Encodable {
        let listing: String
        let link: String
        let text: String
    }

    func run() async throws {
        try await options.asReader { node, _ in
            let found = try await node.listing(listing)
            let share = CurrencyUnits.on(found.content.chain) { Self.share(found) }
            let code = try QRCode(share.link)
            if let png { try WalletReceive.write(Data(try code.png()), to: png, option: "--png") }
            if let svg { try WalletReceive.write(Data(code.svg.utf8), to: svg, option: "--svg") }
            if !options.json {
                Terminal.print(picture: code.lines(hasColours: Screen.output.hasColour))
            }
            try options.output.show(share) { $0.text }
            for file in [png, svg].compactMap({ $0 }) { options.output.note("written " + file) }
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
