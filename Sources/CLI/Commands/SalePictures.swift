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
            A missing folder is created. An existing file is replaced only with --force.
            """
    )
    static let examples = ["sale pictures bicycle", "sale pictures bicycle --save evidence"]

    @OptionGroup var options: CallOptions
    @Argument(help: .sale) var sale: String
    @Option(
        name: .customLong("save"),
        help: "The folder in which to save them. Without it they are only listed.",
        completion: .directory
    )
    var folder: String?
    @Flag(name: .customLong("force"), help: "Replace files that exist.")
    var isForced = false

    /// A picture, for programs.
    struct PictureRow: Encodable {
        let id: String
        let move: String
        let by: String
        let at: Date
        let file: String?
    }

    func validate() throws {
        guard folder != "" else { throw ValidationError("--save is empty. Name a folder.") }
    }

    func call(_ node: StoaClient) async throws {
        let found = try await node.sale(sale)
        var steps: [String: Sale.Step] = [:]
        var ids: [String] = []
        for step in found.history {
            for id in step.pictures ?? [] where steps.updateValue(step, forKey: id) == nil {
                ids.append(id)
            }
        }
        let names = await options.names(of: node)
        try await MediaInput.each(ids) { id in
            let (step, file) = (steps[id], try await save(id, of: found, node))
            return PictureRow(
                id: id,
                move: step?.move ?? "",
                by: step?.by ?? "",
                at: step?.at ?? .distantPast,
                file: file
            )
        } then: { pictures in
            try options.output.show(pictures) { Self.table($0, names) }
        }
    }

    /// Saves a picture if there is a folder, and returns the name of its file.
    private func save(_ id: String, of sale: Sale, _ node: StoaClient) async throws -> String? {
        guard let folder else { return nil }
        try LocalFile.createFolder(folder, option: "--save")
        let content = try await node.picture(id, ofSale: sale.id)
        let name = MediaText.fileName(id, type: content.type, size: nil)
        let path = folder + "/" + name
        try LocalFile.write(content.bytes, to: path, isForced: isForced, option: "--save")
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
        return table.text(orElse: "No pictures came with the notes in this sale.")
    }
}
