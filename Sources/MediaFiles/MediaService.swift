import Answers
package import Client
package import Concurrency
import Crypto
import Foundation
package import Keys
package import Logging
package import Market
package import NIOCore
package import Setup
import Storage
import Texts

/// Stores the pictures and documents of this node's accounts, and serves all that listings name.
package actor MediaService {
    /// The maximum number of files in transit to the node at a time; of one account.
    static let uploadsMax = 8
    static let accountUploadsMax = 2
    /// Of the first, those that are kept for callers on this machine.
    static let uploadsHereMax = 2
    private static let failedMax = 10_000
    /// How long a picture that cannot be decoded is not tried again, and one that took too much,
    /// which may be due to other work on this machine.
    ///
    /// A ``MediaWorkFault`` is not remembered.
    private static let failureLife = Duration.seconds(7 * 86_400)
    private static let costlyLife = Duration.seconds(3_600)

    let blobs: any MediaBlobs
    private let workFolder: String
    private let clock: any WallClock
    let uptime: any MonotonicClock
    let askedFiles = AskedFiles()
    private let tool: PictureTool
    private let thumbnails: ThumbnailCache
    /// The pictures for which no smaller version can be made, by id.
    private var failed = ExpiringTable<Bytes32, Refusal>(entriesMax: failedMax)
    private let uploads = FilePermits(
        permitsMax: uploadsMax,
        accountPermitsMax: accountUploadsMax,
        hereMax: uploadsHereMax
    )

    package init(blobs: NodeMedia, folder: DataFolder, clock: any WallClock, logger: Logger) {
        self.init(blobs: blobs, folder: folder, tool: PictureTool(logger: logger), clock: clock)
    }

    /// - Parameters:
    ///   - blobs: Where the files are kept.
    ///   - folder: The node's data folder. The remains of an earlier run are removed.
    ///   - tool: Decodes and encodes pictures.
    ///   - clock: Expires the memory of pictures that failed.
    ///   - uptime: Limits the time in which files are fetched.
    init(
        blobs: any MediaBlobs,
        folder: DataFolder,
        tool: PictureTool,
        clock: any WallClock = .system,
        uptime: any MonotonicClock = .system
    ) {
        self.blobs = blobs
        (self.clock, self.uptime) = (clock, uptime)
        self.tool = tool
        workFolder = folder.mediaWorkFolder
        thumbnails = ThumbnailCache(folder: folder.thumbnailFolder)
        // There is nothing to remove if no file was added.
        try? FileManager.default.removeItem(atPath: workFolder)
    }

    /// Runs work for a client, and cancels it if the client hangs up.
    package typealias Connected =
        @Sendable (@escaping @Sendable () async throws -> MediaFile) async throws -> MediaFile

    /// Takes an incoming file, and stores the part of it that is kept.
    ///
    /// - Parameters:
    ///   - body: The file in pieces. It is read no further once it is too long.
    ///   - account: The account that adds it.
    ///   - isElsewhere: Whether it comes from another machine.
    ///   - whileConnected: Runs what follows the last byte, and cancels it if the client hangs up.
    /// - Returns: The stored file.
    /// - Throws: ``Refusal``: `body_too_large`, `unsupported_media_type`, `bad_media`,
    ///   `media_unavailable`, `media_no_room`, `store_full`, `too_many_tries`.
    package func add(
        _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable,
        by account: Address,
        isElsewhere: Bool = false,
        whileConnected: @escaping Connected = { try await $0() }
    ) async throws -> MediaFile {
        let owner = PictureOwner(caller: .account(account), isElsewhere: isElsewhere)
        return try await uploads.with(for: account, isElsewhere: isElsewhere) { transfer in
            try await self.add(body, by: account, decodedFor: owner, transfer, whileConnected)
        }
    }

    private func add(
        _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable,
        by account: Address,
        decodedFor owner: PictureOwner,
        _ transfer: FilePermits.Transfer,
        _ whileConnected: Connected
    ) async throws -> MediaFile {
        do {
            let folder = try PrivateFolder(in: workFolder)
            let received = try await Self.receive(body, into: folder, transfer)
            return try await whileConnected {
                try await self.keep(folder, received, by: account, decodedFor: owner)
            }
        } catch let fault as MediaFault {
            throw Refusal(fault)
        } catch let failure as PictureTool.Failure {
            throw Refusal(failure)
        } catch let fault as MediaWorkFault {
            throw Refusal(fault)
        } catch let fault as BlobFault {
            throw Refusal(fault)
        }
    }

    /// Returns a file as it is sent, or a smaller version of a picture.
    ///
    /// - Parameters:
    ///   - text: The file's id.
    ///   - side: The longer side of the smaller version; `nil` for the file itself.
    ///   - caller: The side that asks; callers take turns if a smaller version is to be made.
    /// - Returns: The file.
    /// - Throws: ``Refusal``: `unknown_media`, `media_no_room`, `media_unavailable`, `store_full`;
    ///   `bad_media` for a smaller version of a document.
    package func sent(
        _ text: String,
        side: Int?,
        to caller: MediaCaller
    ) async throws -> SentMedia {
        guard let id = Bytes32(hex: text), text.hasPrefix("0x") else { throw Self.unknown(text) }
        if let side, let bytes = await thumbnails.thumbnail(of: id, side: side) {
            return SentMedia(tag: "\(id.hex)-\(side)", form: .webp, bytes: bytes)
        }
        if side != nil, let refusal = failed.value(of: id, at: clock.timestamp) {
            throw refusal
        }
        guard let (media, bytes) = try await file(id) else { throw Self.unknown(text) }
        // Its listing states its type, and the listing's author may be wrong.
        guard InspectedMedia.form(of: FileBytes(bytes: bytes)) == media.form else {
            throw Refusal(
                .badMedia,
                Sentence(
                    "refusal.fileOfOtherType",
                    ["id": text.quoted, "type": media.form.mediaType]
                )
            )
        }
        guard let side else { return SentMedia(tag: id.hex, form: media.form, bytes: bytes) }
        guard media.form.isImage else {
            throw Refusal(.badMedia, Sentence("refusal.documentSize"))
        }
        let small = try await madeThumbnail(of: id, bytes, side, for: caller)
        return SentMedia(tag: "\(id.hex)-\(side)", form: .webp, bytes: small)
    }

    /// As ``sent(_:side:to:)``, but without waiting for a file that a peer has to send: that one is
    /// fetched behind the request, see ``fetchAsked(_:tell:)``.
    ///
    /// - Throws: As ``sent(_:side:to:)``; ``Refusal`` with `media_unavailable` for a file that is
    ///   not here yet, and after which time to ask again.
    package func sentIfHere(
        _ text: String,
        side: Int?,
        to caller: MediaCaller
    ) async throws -> SentMedia {
        if let id = Bytes32(hex: text), text.hasPrefix("0x"), try await isMissing(id, side: side) {
            throw Refusal(
                .mediaUnavailable,
                Sentence("refusal.fileBeingFetched"),
                field: "id",
                retryAfter: askedFiles.ask(for: id, by: caller, at: uptime.uptime)
            )
        }
        return try await sent(text, side: side, to: caller)
    }

    /// Whether a record names a file that is not here, and no version of it can be sent.
    private func isMissing(_ id: Bytes32, side: Int?) async throws -> Bool {
        guard try await blobs.media(id) == nil, try await blobs.isNamed(id) else { return false }
        guard let side else { return true }
        guard failed.value(of: id, at: clock.timestamp) == nil else { return false }
        return await thumbnails.thumbnail(of: id, side: side) == nil
    }

    /// Returns a picture that another account has sealed, as this node writes it: decoded, encoded
    /// again, and without metadata.
    ///
    /// - Parameters:
    ///   - bytes: The decrypted bytes, which can be anything.
    ///   - account: The account that asks.
    /// - Returns: The picture.
    /// - Throws: ``Refusal``: `bad_media`, `media_unavailable`, `store_full`.
    package func rewritten(_ bytes: [UInt8], for account: Address) async throws -> SentMedia {
        let turn = try await tool.turn(for: PictureOwner(caller: .account(account), isPeers: true))
        do {
            let picture = try await rendered(bytes, during: turn)
            return SentMedia(tag: "sealed", form: picture.form, bytes: picture.bytes)
        } catch let fault as MediaWorkFault {
            throw Refusal(fault)
        } catch let error where error is MediaFault || error is PictureTool.Failure {
            throw Refusal(.badMedia, Sentence("refusal.sealedPictureBad"))
        }
    }

    /// Returns the media that a listing or review names, in order.
    ///
    /// - Parameters:
    ///   - named: As the author names them.
    ///   - old: Those that it has now, which need not be here.
    ///   - code: The code of a refusal.
    /// - Returns: The files, in the same order.
    /// - Throws: ``Refusal`` for a file that this node does not have, or that is of another type or
    ///   length than is said.
    package func media(
        _ named: [ListingMedia],
        keeping old: [Media] = [],
        refusedAs code: ProblemCode = .badListing
    ) async throws -> [Media] {
        var found: [Media] = []
        for media in named {
            let id = Bytes32(hex: media.id)
            var known = old.first { $0.id == id }
            if known == nil, let id { known = try await blobs.media(id) }
            guard let known else {
                throw Refusal(
                    code,
                    Sentence("refusal.noFile", ["id": media.id.quoted]),
                    field: "media"
                )
            }
            guard media.type == nil || media.type == known.form.mediaType,
                media.length == nil || media.length == known.byteCount
            else {
                throw Refusal(
                    code,
                    Sentence(
                        "refusal.fileDiffers",
                        [
                            "id": media.id.quoted, "type": known.form.mediaType,
                            "bytes": "\(known.byteCount)",
                        ]
                    ),
                    field: "media"
                )
            }
            found.append(known)
        }
        return found
    }

    private func file(_ id: Bytes32) async throws -> (media: Media, bytes: [UInt8])? {
        do { return try await blobs.file(id) } catch let fault as BlobFault {
            throw Refusal(fault)
        }
    }

    private static func unknown(_ id: String) -> Refusal {
        Refusal(.unknownMedia, Sentence("refusal.unknownFile", ["id": id.quoted]), field: "id")
    }

    /// Writes an incoming file, and returns the hash of its bytes.
    @concurrent
    private static func receive(
        _ body: some AsyncSequence<ByteBuffer, any Error> & Sendable,
        into folder: PrivateFolder,
        _ transfer: FilePermits.Transfer
    ) async throws -> Bytes32 {
        try folder.write([], to: "in")
        let file: FileHandle
        do { file = try FileHandle(forWritingTo: URL(filePath: folder.file("in"))) } catch {
            throw MediaWorkFault(error)
        }
        // A file that cannot be closed is still removed with its folder.
        defer { try? file.close() }
        var hash = SHA256()
        var count: UInt64 = 0
        for try await piece in body {
            count += UInt64(piece.readableBytes)
            transfer.note(piece.readableBytes)
            guard count <= Media.byteCountMax else { throw Refusal.fileTooLarge }
            let data = Data(piece.readableBytesView)
            hash.update(data: data)
            do { try file.write(contentsOf: data) } catch { throw MediaWorkFault(error) }
        }
        // A body that is read no further for this reason looks as if it had ended.
        try Task.checkCancellation()
        transfer.complete()
        guard let digest = Bytes32(Array(hash.finalize())) else {
            preconditionFailure("a SHA-256 has 32 bytes")
        }
        return digest
    }

    @concurrent
    private func keep(
        _ folder: PrivateFolder,
        _ received: Bytes32,
        by account: Address,
        decodedFor owner: PictureOwner
    ) async throws -> MediaFile {
        let inspected = try InspectedMedia(folder.contents(of: "in"))
        var (kept, form, size) = (inspected.content, inspected.form, inspected.size)
        var small: [Int: [UInt8]] = [:]
        if inspected.form.isImage {
            try folder.write(inspected.content, to: "in")
            let turn = try await tool.turn(for: owner)
            let picture = try await tool.render(inspected.form, in: folder, during: turn)
            (kept, form, size) = (picture.bytes, picture.form, picture.size)
            small = picture.thumbnails
        }
        let media = try await blobs.add(kept, form: form, by: account)
        if !small.isEmpty { await thumbnails.keep(small, of: media.id) }
        return MediaFile(
            id: media.id.hex,
            type: media.form.mediaType,
            length: media.byteCount,
            width: size.map { UInt32($0.width) },
            height: size.map { UInt32($0.height) },
            received: received.hex
        )
    }

    /// Makes the smaller versions of a picture from another node, unless it has failed.
    private func madeThumbnail(
        of id: Bytes32,
        _ bytes: [UInt8],
        _ side: Int,
        for caller: MediaCaller
    ) async throws -> [UInt8] {
        let turn = try await tool.turn(for: PictureOwner(caller: caller, isPeers: true))
        // An earlier caller may have made it by now, or found that it cannot be made.
        if let made = await thumbnails.thumbnail(of: id, side: side) { return made }
        let now = clock.timestamp
        if let refusal = failed.value(of: id, at: now) { throw refusal }
        func remember(_ refusal: Refusal, for life: Duration) -> Refusal {
            failed.put(refusal, for: id, until: now.advanced(by: life), at: now)
            return refusal
        }
        do {
            return try await rendered(id, bytes, side, during: turn)
        } catch let fault as MediaWorkFault {
            throw Refusal(fault)
        } catch let fault as MediaFault {
            throw remember(Refusal(fault), for: Self.failureLife)
        } catch let failure as PictureTool.Failure {
            let life = failure == .tooCostly ? Self.costlyLife : Self.failureLife
            throw remember(Refusal(failure), for: life)
        }
    }

    private func rendered(
        _ id: Bytes32,
        _ bytes: [UInt8],
        _ side: Int,
        during turn: DecoderTurns.Permit
    ) async throws -> [UInt8] {
        let picture = try await rendered(bytes, during: turn)
        await thumbnails.keep(picture.thumbnails, of: id)
        guard let small = picture.thumbnails[side] else { throw MediaFault.malformed(picture.form) }
        return small
    }

    /// Decodes and encodes a picture from another node.
    @concurrent
    private func rendered(
        _ bytes: [UInt8],
        during turn: DecoderTurns.Permit
    ) async throws -> RenderedPicture {
        let inspected = try InspectedMedia(bytes, decodedMax: DecodedBytes.othersMax)
        guard inspected.form.isImage else { throw MediaFault.otherType(found: nil) }
        let folder = try PrivateFolder(in: workFolder)
        try folder.write(inspected.content, to: "in")
        return try await tool.render(inspected.form, in: folder, during: turn)
    }
}
