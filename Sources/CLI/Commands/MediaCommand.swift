import ArgumentParser
import Client
import Foundation
import MediaFiles
import Setup

/// The command `stoa media …`.
struct MediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media",
        abstract: "Add pictures and documents to the node, get them, and remove your own.",
        subcommands: [Add.self, Get.self, MediaList.self, MediaRemove.self]
    )

    struct Add: AccountCall {
        static let configuration = command(
            "Add pictures and documents, which listings can then show.",
            discussion: """
                The node takes JPEG, PNG and WebP pictures and PDF documents of at most 15 MiB, \
                recognized by their content. It re-encodes a picture: upright, at most 2560 pixels \
                long, and without the camera's location and other data. A document is kept \
                unchanged, with all its metadata. Files that a listing names are public.
                """
        )
        static let examples = ["media add bicycle.jpg bill.pdf"]

        @Argument(help: "The files.", completion: .file()) var files: [String]
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await MediaInput.each(files) { file in
                let media = try await MediaInput.add(file, to: node)
                options.output.note(MediaText.added(media, from: file))
                return media
            } then: { added in
                if options.json { try options.output.show(added) { _ in "" } }
            }
        }
    }

    struct Get: LeafCommand {
        static let configuration = command(
            "Save a listing's picture or document to a file.",
            discussion: """
                The node asks its peers if it does not have the file. A document arrives exactly \
                as a stranger published it: open it with care. An existing file is replaced only \
                with --force.
                """
        )
        static let examples = [
            "media get 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b --size 640"
        ]

        @Argument(help: "The file's full id, as 'stoa listing show' prints it.") var id: String
        @Option(help: "Only a smaller version of a picture, 160 or 640 pixels long.")
        var size: Int?
        @Option(
            name: .customLong("out"),
            help:
                "The file to write. Defaults to a file in the current folder, named after the id.",
            completion: .file()
        )
        var file: String?
        @Flag(name: .customLong("force"), help: "Replace a file that exists.")
        var isForced = false
        @OptionGroup var options: CallOptions

        /// The answer for programs.
        struct Written: Encodable {
            let id: String
            let type: String
            let length: Int
            let file: String
        }

        func validate() throws {
            guard size == nil || size.flatMap(ThumbnailSize.init) != nil else {
                throw ValidationError("--size is 160 or 640.")
            }
        }

        func run() async throws {
            if let file, !isForced { try LocalFile.requireFree(file) }
            try await options.asReader { node, _ in
                let content = try await node.media(id, size: size.flatMap(ThumbnailSize.init))
                let path = file ?? MediaText.fileName(id, type: content.type, size: size)
                try LocalFile.write(content.bytes, to: path, isForced: isForced)
                let written = Written(
                    id: id,
                    type: content.type,
                    length: content.bytes.count,
                    file: path
                )
                try options.output.show(written) {
                    "written \($0.file) (\($0.type), \($0.length) bytes)"
                }
            }
        }
    }
}

/// Files that a person names, on their way to a node and back.
enum MediaInput {
    /// Adds a file to the node.
    ///
    /// - Throws: ``Failure`` for a file that cannot be read or is too long; the node's ``Problem``,
    ///   with the name of the file.
    static func add(
        _ path: String,
        to node: StoaClient,
        checking check: ([UInt8]) throws -> Void = { _ in }
    ) async throws -> MediaFile {
        let bytes = try LocalFile.contents(of: path)
        try check(bytes)
        return try await upload(path, bytes.count) { try await node.addMedia(bytes, progress: $0) }
    }

    /// Sends a file of `count` bytes, and shows on a terminal how much of it was sent.
    ///
    /// - Throws: The errors of `send`; the node's ``Problem`` with the name of the file.
    static func upload<Added>(
        _ path: String,
        _ count: Int,
        _ send: (_ progress: @escaping @Sendable (Int) -> Void) async throws -> Added
    ) async throws -> Added {
        defer { Terminal.show(status: "") }
        do {
            return try await send(progress(of: path, count))
        } catch var problem as Problem {
            problem.detail = "\(path.quoted): \(problem.detail)"
            throw problem
        }
    }

    /// Adds files one after the other, and gives `show` those that were added, also before one that
    /// fails.
    static func each<Added>(
        _ files: [String],
        _ add: (String) async throws -> Added,
        then show: ([Added]) throws -> Void
    ) async throws {
        var added: [Added] = []
        do {
            for file in files { added.append(try await add(file)) }
        } catch {
            if !added.isEmpty { try show(added) }
            throw error
        }
        try show(added)
    }

    /// Returns a function that shows on a terminal how much of a file was sent.
    private static func progress(of path: String, _ count: Int) -> @Sendable (Int) -> Void {
        let name = URL(filePath: path).lastPathComponent
        return { sent in
            let percent = count == 0 ? 100 : sent * 100 / count
            let now = percent < 100 ? "\(percent) % sent" : "sent, the node checks it"
            Terminal.show(status: "\(name.quoted): \(now)")
        }
    }

    /// Returns the media of a listing: each is a file that is added, or the id of one that was.
    static func media(_ named: [String], of node: StoaClient) async throws -> [ListingMedia] {
        var media: [ListingMedia] = []
        for name in named {
            if isID(name) {
                media.append(ListingMedia(id: name.lowercased()))
            } else {
                let added = try await add(name, to: node)
                media.append(ListingMedia(id: added.id, type: added.type, length: added.length))
            }
        }
        return media
    }

    /// Returns the id of a picture: of a file that is added, or of one that was.
    ///
    /// - Throws: As ``add(_:to:checking:)``, and before anything is sent ``Failure`` for a file
    ///   that does not begin like a picture.
    static func picture(_ named: String, of node: StoaClient) async throws -> String {
        if isID(named) { return named.lowercased() }
        let added = try await add(named, to: node) { bytes in
            guard MediaBeginning.isPicture(bytes) else {
                throw Failure(
                    .refused,
                    "\(named.quoted) is not a JPEG, PNG or WebP picture. Choose one that is."
                )
            }
        }
        return added.id
    }

    private static func isID(_ text: String) -> Bool {
        text.count == 66 && text.hasPrefix("0x") && text.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}

/// Formats pictures and documents as text.
enum MediaText {
    static func added(_ media: MediaFile, from file: String) -> String {
        let size = media.width.flatMap { width in media.height.map { ", \(width) × \($0)" } } ?? ""
        return "\(media.id)  \(media.type), \(media.length) bytes\(size)  \(DisplayText.line(file))"
    }

    /// The lines of a listing's pictures and documents.
    static func lines(_ media: [ListingMedia]?) -> [String] {
        (media ?? []).map { media in
            let length = media.length.map { ", \($0) bytes" } ?? ""
            return "media      \(media.id) (\(DisplayText.line(media.type ?? "?"))\(length))"
        }
    }

    /// The name of a file without a name.
    static func fileName(_ id: String, type: String, size: Int?) -> String {
        let endings = [
            "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp",
            "application/pdf": "pdf",
        ]
        let digits = id.hasPrefix("0x") ? id.dropFirst(2) : id[...]
        let part = digits.prefix(12).filter(\.isHexDigit)
        return "stoa-\(part)" + (size.map { "-\($0)" } ?? "") + "." + (endings[type] ?? "bin")
    }
}
