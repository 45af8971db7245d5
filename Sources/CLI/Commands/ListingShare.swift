import ArgumentParser
import Client
import Foundation

/// The command `stoa listing share`.
struct ListingShare: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Show a listing as a text to pass on, with a link and a QR code.",
        discussion: """
            Every command that takes a listing takes the link too. --png and --svg write the code \
            to a file, and --picture the listing's first picture; an existing file is replaced only \
            with --force.
            """
    )
    static let examples = ["listing share bicycle", "listing share bicycle --png bicycle.png"]

    @Argument(help: .listing, completion: CompletionValues.listings) var listing: String
    @OptionGroup var files: CodeFiles
    @Option(help: "Write the listing's first picture to this file.", completion: .file())
    var picture: String?
    @OptionGroup var options: CallOptions

    /// The answer for programs.
    struct Share: Encodable {
        let listing: String
        let link: String
        let text: String
        let description: String
        /// The id of the first picture; `nil` if it has none.
        let picture: String?
    }

    func run() async throws {
        try files.check()
        if let picture, !files.isForced {
            try LocalFile.requireFree(picture, option: "--picture")
        }
        try await options.asReader { node, _ in
            let found = try await node.listing(listing)
            let share = CurrencyUnits.on(found.content.chain) { Self.share(found) }
            let code = try QRCode(share.link)
            try await write(share.picture, of: node)
            try files.write(code)
            if !options.json {
                Terminal.print(picture: code.lines(hasColours: Screen.output.hasColour))
            }
            try options.output.show(share) { $0.text }
            files.note(options.output)
            if let picture { options.output.note("written " + picture) }
        }
    }

    /// Writes the listing's picture to the file that was named for it.
    private func write(_ id: String?, of node: StoaClient) async throws {
        guard let picture else { return }
        guard let id else {
            throw Failure(.refused, "This listing shows no picture: leave out --picture.")
        }
        let content = try await node.media(id)
        let (bytes, isForced) = (content.bytes, files.isForced)
        try LocalFile.write(bytes, to: picture, isForced: isForced, option: "--picture")
    }

    /// The maximum length of the description in a text to pass on.
    private static let lettersMax = 280

    static func share(_ listing: Listing) -> Share {
        let link = "stoa:listing/" + listing.id
        let price = MoneyText.paid(listing.price ?? listing.content.price)
        let description = listing.content.description
        let isLong = description.count > lettersMax
        let text = [
            DisplayText.line(listing.content.title),
            price + ListingText.chain(listing.content.chain),
            DisplayText.line(String(description.prefix(lettersMax))) + (isLong ? "…" : ""), link,
        ]
        return Share(
            listing: listing.id,
            link: link,
            text: text.joined(separator: "\n"),
            description: description,
            picture: listing.content.media?.first { $0.type?.hasPrefix("image/") == true }?.id
        )
    }
}
