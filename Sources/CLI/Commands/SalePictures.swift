import ArgumentParser
import Client
import Foundation

/// The command `stoa sale pictures`.
struct SalePictures: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "pictures",
        abstract: "Show the pictures that came with notes in a sale, or save them.",
        discussion: """
            You see the pictures that you sent or received, such as those of a dispute. Your node gets \
            them from the nodes of the other parties, and encodes them again before it gives them out. \
            One that cannot be saved does not keep back the others: the command names it, and ends \
            with its exit code. A missing folder is created. A file that has the same picture stays; \
            another existing one is replaced only with --force.
            """
    )
    static let examples = ["sale pictures bicycle", "sale pictures bicycle --out evidence"]

    @Argument(help: .sale, completion: CompletionValues.sales) var sale: String
    @Option(
        name: .customLong("out"),
        help: "The folder in which to save them. Without it they are only listed.",
        completion: .directory
    )
    var folder: String?
    @Option(
        name: .customLong("only"),
        help: "Only this picture: the first digits of its id. Repeat it for more."
    )
    var chosen: [String] = []
    @Flag(name: .customLong("force"), help: "Replace files that exist.")
    var isForced = false
    @OptionGroup var options: CallOptions

    /// A picture, for programs.
    struct PictureRow: Encodable {
        let id: String
        let move: String
        let by: String
        let at: Date
        var file: String?
        /// Why it was not saved.
        var problem: String?
    }

    func validate() throws {
        guard folder != "" else { throw ValidationError("--out is empty. Name a folder.") }
    }

    func call(_ node: StoaClient) async throws {
        let found = try await node.sale(sale)
        var rows = try Self.select(Self.rows(of: found), chosen)
        let names = await options.names(of: node)
        var first: ExitReport?
        if let folder, !rows.isEmpty { try LocalFile.createFolder(folder, option: "--out") }
        for place in rows.indices {
            guard let folder else { break }
            do {
                rows[place].file = try await save(rows[place].id, of: found, in: folder, node)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                let report = ExitReport(error)
                rows[place].problem = report.message
                first = first ?? report
            }
        }
        try options.output.show(rows) { Self.table($0, names) }
        guard let first else { return }
        let count = rows.count { $0.problem != nil }
        throw Failure(
            first.code,
            "Of \(rows.count) pictures, \(count) could not be saved. \(first.message)",
            problem: first.problem
        )
    }

    /// The pictures of a sale's notes, each once.
    private static func rows(of sale: Sale) -> [PictureRow] {
        var seen: Set<String> = []
        return sale.history.flatMap { step in
            (step.pictures ?? []).filter { seen.insert($0).inserted }.map {
                PictureRow(id: $0, move: step.move, by: step.by, at: step.at)
            }
        }
    }

    /// Returns the pictures whose ids begin with the given digits; all of them if none are given.
    static func select(_ rows: [PictureRow], _ chosen: [String]) throws -> [PictureRow] {
        guard !chosen.isEmpty else { return rows }
        return try chosen.flatMap { text in
            let digits = text.lowercased().trimmingPrefix("0x")
            let found = rows.filter { digits.count >= 4 && $0.id.dropFirst(2).hasPrefix(digits) }
            guard !found.isEmpty else {
                throw Failure(
                    .refused,
                    "No picture of this sale has an id that begins with "
                        + "'\(DisplayText.line(text))'. 'stoa sale pictures' lists them."
                )
            }
            return found
        }
    }

    /// Saves a picture, and returns the name of its file.
    private func save(
        _ id: String,
        of sale: Sale,
        in folder: String,
        _ node: StoaClient
    ) async throws -> String {
        let content = try await node.picture(id, ofSale: sale.id)
        let name = MediaText.fileName(id, type: content.type, size: nil)
        let path = folder + "/" + name
        if FileManager.default.contents(atPath: path) == Data(content.bytes) { return path }
        try LocalFile.write(content.bytes, to: path, isForced: isForced, option: "--out")
        return path
    }

    static func table(_ pictures: [PictureRow], _ names: Names) -> String {
        var table = TextTable("picture", "move", "time", "by")
        for picture in pictures {
            table.add(
                picture.file ?? IDText.cell(picture.id),
                picture.move,
                TimeText.text(picture.at),
                names.text(picture.by)
            )
        }
        let problems = pictures.compactMap { picture in
            picture.problem.map {
                "not saved: \(IDText.short(picture.id)): \(DisplayText.line($0))"
            }
        }
        let text = table.text(orElse: "No pictures came with the notes in this sale.")
        return ([text] + problems).joined(separator: "\n")
    }
}
