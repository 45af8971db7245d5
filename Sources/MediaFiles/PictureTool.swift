import Concurrency
import Foundation
import Logging
import Market
import Setup

/// A picture as this node keeps and shows it, and its smaller versions.
struct RenderedPicture: Equatable, Sendable {
    let bytes: [UInt8]
    let form: Media.Form
    let size: PictureSize
    /// WebP pictures by the length of their longer side, for each of
    /// ``PictureTool/thumbnailSides``.
    let thumbnails: [Int: [UInt8]]
}

/// Decodes and encodes pictures with libvips' command-line tool, each in separate processes.
///
/// A decoder is the part of a node that a stranger's file is most likely to take over, so it runs
/// with few rights: with limits, a time after which it is killed, one folder that it can write,
/// and, if the system allows it, no network and no other file of the user.
///
/// Source: Docs/limits.md, section 4.
actor PictureTool {
    /// The longer side of a picture that is kept, in pixels; larger ones are made smaller.
    static let sideMax = 2_560
    static let thumbnailSides = [160, 640]

    /// The isolation of the tool from the rest of the machine, beside its limits.
    enum Isolation: Equatable, Sendable {
        /// Separate namespaces: no network, no process and no file but the tool's and its folder.
        case namespaces
        /// Nothing, because this system lets the node make no namespaces.
        case limitsAlone
    }

    private static let sandbox = "/usr/bin/bwrap"

    private let process: LimitedProcess
    private let program: String
    private let logger: Logger
    private let turns: DecoderTurns
    private var isolation: Isolation?

    /// - Parameters:
    ///   - allowance: The resources that each process of one picture may use.
    ///   - concurrentMax: How many pictures are processed at a time; others wait.
    ///   - program: libvips' tool.
    ///   - isolation: The tool's isolation from the rest of the machine; determined at its first
    ///     use if omitted.
    ///   - clock: Measures the time that callers' pictures take.
    ///   - logger: Gets a message if the tool cannot be isolated.
    init(
        allowance: LimitedProcess.Allowance = LimitedProcess.Allowance(),
        concurrentMax: Int = 2,
        program: String = "/usr/bin/vips",
        isolation: Isolation? = nil,
        clock: any MonotonicClock = .system,
        logger: Logger
    ) {
        process = LimitedProcess(allowance: allowance)
        turns = DecoderTurns(decodersMax: concurrentMax, clock: clock)
        self.program = program
        self.isolation = isolation
        self.logger = logger
    }

    /// The number of pictures that wait for a decoder.
    var waitingCount: Int { turns.waitingCount }

    /// Waits for a decoder, which is taken until the permit is released.
    func turn(for owner: PictureOwner) async throws -> DecoderTurns.Permit {
        try await turns.wait(for: owner)
    }

    /// Returns a picture with its orientation applied, in sRGB, without metadata, and not larger
    /// than ``sideMax``.
    ///
    /// - Parameters:
    ///   - form: The picture's type by its content. JPEG stays JPEG; others, which can be partly
    ///     transparent, become WebP.
    ///   - folder: Holds the picture in its file `in`; everything else in it is overwritten.
    ///   - turn: The decoder that is taken for it.
    /// - Returns: The picture, and its smaller versions.
    /// - Throws: ``Failure``; ``MediaFault`` if the tool made no picture, or if a PNG picture has
    ///   more pixels than its size; ``MediaWorkFault``; `CancellationError`.
    func render(
        _ form: Media.Form,
        in folder: PrivateFolder,
        during turn: DecoderTurns.Permit
    ) async throws -> RenderedPicture {
        defer { withExtendedLifetime(turn) {} }
        if form == .png { try await PNGPixels.check(Self.contents(folder)) }
        let target: Media.Form = form == .jpeg ? .jpeg : .webp
        let name = target == .jpeg ? "picture.jpg" : "picture.webp"
        try await run(script(name), in: folder)
        do {
            return try Self.rendered(target, name, in: folder)
        } catch {
            // A tool that does not notice that it could not write leaves a part of a picture.
            throw folder.hasRoom ? error : MediaWorkFault.diskFull
        }
    }

    /// Returns what the tool has written.
    private static func rendered(
        _ target: Media.Form,
        _ name: String,
        in folder: PrivateFolder
    ) throws -> RenderedPicture {
        let picture = try cleaned(name, in: folder)
        var thumbnails: [Int: [UInt8]] = [:]
        for side in thumbnailSides {
            let small = try cleaned("\(side).webp", in: folder)
            guard small.media.form == .webp, small.size.longSide <= side else {
                throw MediaFault.malformed(.webp)
            }
            thumbnails[side] = small.bytes
        }
        guard picture.media.form == target, picture.size.longSide <= sideMax else {
            throw MediaFault.malformed(target)
        }
        return RenderedPicture(
            bytes: picture.bytes,
            form: target,
            size: picture.size,
            thumbnails: thumbnails
        )
    }

    /// The commands of one picture; only the first reads what a stranger has made.
    ///
    /// Source: `vips thumbnail`, which turns the picture as its metadata says.
    private func script(_ name: String) -> String {
        func command(_ from: String, _ to: String, _ quality: Int, _ side: Int) -> String {
            "\(program) thumbnail \(from) '\(to)[strip,Q=\(quality)]' \(side) --height \(side) --size down"
        }
        let sides = Self.thumbnailSides.sorted(by: >)
        return
            ([
                command("in", name, 85, Self.sideMax) + " --export-profile srgb --fail-on error"
            ] + sides.map { command(name, "\($0).webp", 80, $0) }).joined(separator: " && ")
    }

    private func run(_ script: String, in folder: PrivateFolder) async throws {
        for needed in [program, "/usr/bin/prlimit"] {
            guard FileManager.default.isExecutableFile(atPath: needed) else {
                throw MediaWorkFault.missing(program: needed)
            }
        }
        let log = folder.file("log")
        let isolation = try await isolated(folder)
        let outcome = try await start(["/bin/sh", "-c", script], in: folder, isolation)
        guard outcome != .exited(code: 0) else { return }
        let report = Self.end(of: log)
        logger.debug("no picture", metadata: ["outcome": "\(outcome)", "report": "\(report)"])
        throw Self.reason(of: outcome, report: report, hasRoom: folder.hasRoom)
    }

    private func start(
        _ program: [String],
        in folder: PrivateFolder,
        _ isolation: Isolation
    ) async throws -> LimitedProcess.Outcome {
        do {
            return try await process.run(
                Self.command(program, in: folder, isolation),
                environment: Self.environment,
                log: folder.file("log")
            )
        } catch let error as SpawnedProcess.NotStarted {
            throw MediaWorkFault(POSIXError(POSIXErrorCode(rawValue: error.code) ?? .EIO))
        }
    }

    private static let environment = [
        "PATH": "/usr/bin", "LC_ALL": "C", "VIPS_CONCURRENCY": "1", "VIPS_BLOCK_UNTRUSTED": "1",
    ]

    /// Returns the command that runs `program` in the folder, isolated from the rest of the
    /// machine.
    private static func command(
        _ program: [String],
        in folder: PrivateFolder,
        _ isolation: Isolation
    ) -> [String] {
        switch isolation {
        case .namespaces:
            [
                sandbox, "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin",
                "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
                "--bind", folder.path, "/work", "--chdir", "/work", "--unshare-all",
                "--cap-drop", "ALL", "--",
            ] + program
        case .limitsAlone: ["/usr/bin/env", "--chdir=" + folder.path] + program
        }
    }

    /// Finds out once, in any folder, whether this system lets the node make namespaces.
    private func isolated(_ folder: PrivateFolder) async throws -> Isolation {
        if let isolation { return isolation }
        var found = Isolation.limitsAlone
        if FileManager.default.isExecutableFile(atPath: Self.sandbox) {
            let outcome = try await start(["/bin/true"], in: folder, .namespaces)
            if outcome == .exited(code: 0) { found = .namespaces }
        }
        if found == .limitsAlone {
            logger.warning(
                "pictures are decoded with limits, but not apart from the network and other files",
                metadata: ["needed": "bubblewrap, and user namespaces for this user"]
            )
        }
        isolation = found
        return found
    }

    /// Returns a file that the tool has written, without metadata, after it was checked.
    private static func cleaned(
        _ name: String,
        in folder: PrivateFolder
    ) throws -> (bytes: [UInt8], media: InspectedMedia, size: PictureSize) {
        // A tool that was taken over could leave a link to another file, or a pipe.
        let about = try? FileManager.default.attributesOfItem(atPath: folder.file(name))
        guard about?[.type] as? FileAttributeType == .typeRegular else {
            throw Failure.undecodable(report: "no file")
        }
        // libvips 8.14.1, the version in Debian 12, does not remove a photograph's location from a
        // WebP file.
        let written = try folder.contents(of: name)
        let bytes =
            try InspectedMedia(written).form == .jpeg
            ? try JPEGFile(FileBytes(bytes: written)).withoutMetadata()
            : try WebPFile(FileBytes(bytes: written)).withoutMetadata()
        let media = try InspectedMedia(bytes)
        guard let size = media.size else { throw MediaFault.malformed(media.form) }
        return (bytes, media, size)
    }

    @concurrent
    private static func contents(_ folder: PrivateFolder) async throws -> [UInt8] {
        try folder.contents(of: "in")
    }

    /// Returns the last lines of a report.
    private static func end(of log: String) -> String {
        let text = String(
            decoding: (FileManager.default.contents(atPath: log) ?? Data()).suffix(500),
            as: UTF8.self
        )
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
