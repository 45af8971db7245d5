package import Answers
import Client
package import Market
import Setup
package import Storage

extension Refusal {
    /// The refusal of a file that cannot be taken, in words of the person who adds it.
    init(_ fault: MediaFault) {
        switch fault {
        case .empty: self.init(.badMedia, Sentence("refusal.fileEmpty"))
        case .otherType(let found):
            let reason = found.map { Sentence("refusal.fileOfType", ["found": $0]) }
            self.init(.unsupportedMediaType, reason ?? Sentence("refusal.fileOfNoType"))
        case .cutOff(let form):
            self.init(.badMedia, Sentence("refusal.fileCutOff", ["kind": form.term]))
        case .malformed(let form):
            self.init(
                .badMedia,
                Sentence("refusal.fileDamaged", ["kind": form.term]),
                Sentence("refusal.saveFileAgain")
            )
        case .continued(let byteCount):
            self.init(
                .badMedia,
                Sentence("refusal.fileContinued", ["bytes": "\(byteCount)"]),
                Sentence("refusal.saveFileAgain")
            )
        case .animated:
            self.init(.badMedia, Sentence("refusal.fileAnimated"))
        case .tooManyPixels(let size):
            self.init(
                .badMedia,
                Sentence(
                    "refusal.tooManyPixels",
                    [
                        "width": "\(size.width)", "height": "\(size.height)",
                        "millions": "\(InspectedMedia.pixelsMax / 1_000_000)",
                        "side": "\(PictureTool.sideMax)",
                    ]
                )
            )
        case .tooDeep(let size):
            self.init(
                .badMedia,
                Sentence(
                    "refusal.pixelsTooDeep",
                    ["width": "\(size.width)", "height": "\(size.height)"]
                )
            )
        case .tooManyScans(let count):
            self.init(.badMedia, Sentence("refusal.tooManyScans", ["count": "\(count)"]))
        case .alsoArchive:
            self.init(
                .badMedia,
                Sentence("refusal.fileIsArchive"),
                Sentence("refusal.saveFileAgain")
            )
        }
    }

    /// The refusal of a picture that the tool could not make anything of.
    init(_ failure: PictureTool.Failure) {
        switch failure {
        case .tooCostly: self.init(.badMedia, Sentence("refusal.pictureTooCostly"))
        case .undecodable:
            self.init(
                .badMedia,
                Sentence("refusal.pictureUndecodable"),
                Sentence("refusal.saveFileAgain")
            )
        }
    }

    /// The refusal of a file that this node cannot work on now.
    init(_ fault: MediaWorkFault) {
        switch fault {
        case .missing(let program):
            self.init(
                .mediaUnavailable,
                Sentence("refusal.noPictureTool", ["program": program.quoted])
            )
        case .diskFull: self.init(.storeFull, Sentence("refusal.diskFull"))
        case .failed:
            self.init(
                .mediaUnavailable,
                Sentence("refusal.fileNotProcessed"),
                retryAfter: .seconds(10)
            )
        }
    }

    /// The refusal of a file that cannot be kept, or had from a peer, now.
    package init(_ fault: BlobFault) {
        switch fault {
        case .empty: self.init(MediaFault.empty)
        case .tooLong: self = .fileTooLarge
        case .noRoom(let quotaBytes):
            self.init(
                .mediaNoRoom,
                Sentence("refusal.noRoomForFile", ["size": "\(quotaBytes >> 20)"])
            )
        case .accountFull(let bytesMax):
            self.init(.mediaNoRoom, Sentence("refusal.filesFull", ["size": "\(bytesMax >> 20)"]))
        case .damaged:
            self.init(
                .mediaUnavailable,
                Sentence("refusal.fileWasDamaged"),
                retryAfter: .seconds(2)
            )
        case .busy:
            self.init(
                .mediaUnavailable,
                Sentence("refusal.fileBeingFetched"),
                retryAfter: .seconds(2)
            )
        }
    }
}

extension Media.Form {
    /// The code of its word.
    fileprivate var term: String { isImage ? "media.picture" : "media.document" }

    /// The media type of files of this form.
    ///
    /// Source: IANA, "Media Types".
    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .pdf: "application/pdf"
        case .sealed: "application/octet-stream"
        }
    }

    /// The ending of the names of such files.
    var fileEnding: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webp: "webp"
        case .pdf: "pdf"
        case .sealed: "sealed"
        }
    }
}

extension Refusal {
    /// The refusal of a picture or document over the limit, after which the connection ends.
    package static let fileTooLarge = Refusal(
        .bodyTooLarge,
        Sentence("refusal.fileTooLarge", ["bytes": "\(Media.byteCountMax)"])
    )
}
