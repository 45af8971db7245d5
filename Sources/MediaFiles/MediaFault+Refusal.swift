package import Answers
import Client
package import Market
import Setup
package import Storage

extension Refusal {
    /// The refusal of a file that cannot be taken, in words of the person who adds it.
    init(_ fault: MediaFault) {
        switch fault {
        case .empty: self.init(.badMedia, "The file is empty.")
        case .otherType(let found):
            let taken =
                "JPEG, PNG and WebP pictures and PDF documents are accepted, judged by content"
            self.init(
                .unsupportedMediaType,
                found.map { "This is \($0). Only \(taken); convert it and add it again." }
                    ?? "Only \(taken), whatever the file's name. This file is none of them."
            )
        case .cutOff(let form):
            self.init(
                .badMedia,
                "The \(form.words) is incomplete: the file ends too early. Copy it again."
            )
        case .malformed(let form):
            self.init(.badMedia, "The \(form.words) is damaged. \(Self.anew)")
        case .continued(let byteCount):
            self.init(
                .badMedia,
                "\(byteCount) bytes come after the end of the document, such as a hidden file. "
                    + Self.anew
            )
        case .animated(let form):
            self.init(
                .badMedia,
                "The \(form.words) is animated. Save one still picture of it, and add that."
            )
        case .tooManyPixels(let size):
            self.init(
                .badMedia,
                "The picture has \(size.width) × \(size.height) pixels, more than "
                    + "\(InspectedMedia.pixelsMax / 1_000_000) million. Make it smaller: at most "
                    + "\(PictureTool.sideMax) on its longer side are kept."
            )
        case .tooDeep(let size):
            self.init(
                .badMedia,
                "The picture's \(size.width) × \(size.height) pixels take more memory than a "
                    + "picture may, because each has so many bits. Save it with 8 bits per colour, "
                    + "or make it smaller."
            )
        case .tooManyScans(let count):
            self.init(
                .badMedia,
                "The picture has \(count) scans, which takes too long to decode. Save it again as an "
                    + "ordinary JPEG picture, not a progressive one."
            )
        case .alsoArchive:
            self.init(.badMedia, "The document is an archive as well. \(Self.anew)")
        }
    }

    /// The refusal of a picture that the tool could not make anything of.
    init(_ failure: PictureTool.Failure) {
        switch failure {
        case .missing(let program):
            self.init(
                .mediaUnavailable,
                "This node cannot accept pictures: it has no \(program.quoted). Its operator can "
                    + "install the packages 'libvips-tools' and 'util-linux'. PDF documents are "
                    + "accepted."
            )
        case .tooCostly:
            self.init(
                .badMedia,
                "Decoding the picture takes more time or memory than a picture may. Make it smaller, "
                    + "or save it in another format."
            )
        case .undecodable:
            self.init(.badMedia, "The picture cannot be decoded. \(Self.anew)")
        }
    }

    /// The refusal of a file that cannot be kept, or had from a peer, now.
    package init(_ fault: BlobFault) {
        switch fault {
        case .empty: self.init(MediaFault.empty)
        case .tooLong: self = .fileTooLarge
        case .noRoom, .accountFull:
            self.init(.mediaNoRoom, "The file was not stored: \(fault.description).")
        case .damaged, .busy:
            self.init(
                .mediaUnavailable,
                "The file is not available now: \(fault.description).",
                retryAfter: .seconds(2)
            )
        }
    }

    private static var anew: String { "Save it again with a program for pictures or documents." }
}

extension Media.Form {
    fileprivate var words: String { isImage ? "picture" : "document" }

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
        "A file can have at most 15 MiB (\(Media.byteCountMax) bytes)."
    )
}
