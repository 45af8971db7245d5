import ArgumentParser
import Client
import Concurrency
import Foundation
import Setup

/// The command `stoa work …`.
struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Store encrypted digital works for sale.",
        discussion: """
            'stoa listing create --work FILE' offers a work. The buyer's node receives the key \
            automatically once it is paid or, in a sale that the buyer has to confirm, once you have \
            released the file with 'stoa sale transfer'. It checks the file against its SHA-256.
            """,
        subcommands: [Add.self, List.self, WorkRename.self, WorkRemove.self]
    )

    struct Add: AccountCall {
        static let configuration = command(
            "Add files. The node stores them encrypted and shows them to nobody."
        )
        static let examples = ["work add song.flac"]

        @Argument(help: "The files, each of at most \(WorkInput.limit).", completion: .file())
        var files: [String]
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await MediaInput.each(files) {
                try await WorkInput.add($0, to: node)
            } then: {
                try options.output.show($0) { WorkText.table($0) }
            }
        }
    }

    struct List: AccountCall {
        static let configuration = command(
            "Show the digital works that you made or bought, on any of your nodes."
        )
        static let examples = ["work list"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.works()) { WorkText.table($0) }
        }
    }
}

/// The command `stoa sale work`.
struct SaleWork: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Save the file that you bought, checked against its identifier.",
        discussion: """
            The file comes from a stranger: open it with care. If it is not the promised file, \
            nothing is written. An existing file is replaced only if --out names it and --force is \
            given.
            """
    )
    static let examples = ["sale work song", "sale work 7f3a2b --out song.flac"]

    @Argument(help: .sale, completion: CompletionValues.sales) var sale: String
    @Option(
        name: .customLong("out"),
        help: """
            The file to write. Defaults to the seller's file name, without dots and hyphens at its \
            beginning, in the current folder.
            """,
        completion: .file()
    )
    var file: String?
    @Flag(name: .customLong("force"), help: "Replace the file that --out names, if it exists.")
    var isForced = false
    @OptionGroup var options: CallOptions

    /// The answer for programs.
    struct Written: Encodable {
        let file: String
        let length: Int
        let sale: String?
    }

    func validate() throws {
        // Without --out the seller names the file, so the seller would choose which file is
        // replaced.
        guard !isForced || file != nil else {
            throw ValidationError("--force replaces only a file that you name: give --out too.")
        }
    }

    func run() async throws {
        if let file, !isForced { try LocalFile.requireFree(file) }
        try await options.asAccount { node in
            let work = try await work(from: node)
            let path = file ?? Self.fileName(work.name)
            try LocalFile.write(work.bytes, to: path, isForced: isForced, canForce: file != nil)
            let title = await title(of: work, node)
            let written = Written(file: path, length: work.bytes.count, sale: work.sale)
            try options.output.show(written) {
                "written \($0.file) (\($0.length) bytes)\(title); it is the file that was promised"
            }
        }
    }
}

extension SaleWork {
    /// Returns a file name from the one that the seller chose: a shell reads hidden files unasked,
    /// and programs take a name with a hyphen for an option.
    static func fileName(_ name: String) -> String {
        let last = name.split(separator: "/").last ?? ""
        let text = last.drop { ".-~".contains($0) || $0.isWhitespace }
        return text.isEmpty ? "work" : String(text)
    }

    /// How often the key of a work that was sold just now is asked for, a second apart.
    private static let keyTries = 15
    /// How long after the sale its key can be on the way, in seconds.
    private static let keySeconds = 120.0

    /// Returns the work; waits for the key of one that was sold just now.
    ///
    /// The seller's node sends it once it sees the payment or the handover as final.
    private func work(from node: StoaClient) async throws -> BoughtWork {
        var tries = 0
        while true {
            do { return try await node.boughtWork(ofSale: sale) } catch let problem as Problem
                where problem.code == ProblemCode.notFound.rawValue && tries < Self.keyTries
            {
                guard await isKeyDue(node) else { throw problem }
                if tries == 0 { options.output.note("Waiting for the key from the seller's node.") }
                tries += 1
                try await SystemMonotonicClock().wait(.seconds(1))
            }
        }
    }

    private func isKeyDue(_ node: StoaClient) async -> Bool {
        guard let sale = try? await node.sale(sale), let since = sale.since, let now = sale.asOf
        else { return false }
        return ["sold", "transferred"].contains(sale.phase)
            && now.timeIntervalSince(since) < Self.keySeconds
    }

    /// Names the sale: words of a title can mean several.
    private func title(of work: BoughtWork, _ node: StoaClient) async -> String {
        guard let id = work.sale else { return "" }
        var words = ", of sale " + IDText.short(id)
        if let sale = try? await node.sale(id),
            let listing = await SaleCommand.listing(of: sale, node)
        {
            words += " ('\(DisplayText.line(listing.content.title))')"
        }
        return words
    }
}

/// Files of digital works on their way to a node.
enum WorkInput {
    /// The maximum length of a file, for a person.
    static let limit = "15 MiB less 28 bytes (\(StoaClient.workBytesMax) bytes)"

    /// Returns the identifier of a work: of a file that is added, or of one that was, by its
    /// identifier, at least four of its first digits, or its name.
    ///
    /// `found` is called with one that was added before.
    static func identifier(
        _ named: String,
        of node: StoaClient,
        found: (Work) -> Void
    ) async throws -> String {
        let digits = named.lowercased()
        if digits.count == 64, digits.allSatisfy(\.isHexDigit) { return digits }
        guard !FileManager.default.fileExists(atPath: named) else {
            return try await add(named, to: node).identifier
        }
        let isBeginning = digits.count >= 4 && digits.allSatisfy(\.isHexDigit)
        let known = try await node.works().filter {
            $0.name == named || isBeginning && $0.identifier.hasPrefix(digits)
        }
        guard known.count < 2 else {
            throw Failure(
                .usage,
                "\(named.quoted) matches several works: "
                    + known.map(\.identifier).joined(separator: ", ")
                    + ". Give more digits.",
                problem: ProblemCode.ambiguousID.rawValue
            )
        }
        guard let work = known.first else {
            throw Failure(
                .configuration,
                "There is no file \(named.quoted), and none of your works matches it. 'stoa work "
                    + "list' shows your works."
            )
        }
        found(work)
        return work.identifier
    }

    /// Adds a file to the node.
    ///
    /// - Throws: ``Failure`` for a file that cannot be read; the node's ``Problem``, with its name.
    static func add(_ path: String, to node: StoaClient) async throws -> Work {
        let bytes = try LocalFile.contents(
            of: path,
            byteCountMax: StoaClient.workBytesMax,
            limit: limit
        )
        let name = URL(filePath: path).lastPathComponent
        return try await MediaInput.upload(path, bytes.count) {
            try await node.addWork(bytes, named: name, progress: $0)
        }
    }
}

/// Formats digital works as text.
enum WorkText {
    static func table(_ works: [Work]) -> String {
        var table = TextTable("name", "bytes", "file", "identifier")
        for work in works {
            let file = work.isHere ? "here" : "key here, file not yet"
            table.add(work.name, "\(work.length)", file, work.identifier)
        }
        return table.text(orElse: "No works. Add one to sell with: stoa work add FILE")
    }
}
