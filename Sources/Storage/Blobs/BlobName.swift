import Keys
import Market

/// The name of a blob's file, which says all that is known of it.
///
/// A file contains the blob's bytes and then the hashes of its chunks, 32 bytes each; in an
/// incomplete one the hash of a missing chunk is zero.
struct BlobName: Hashable, Sendable {
    let media: Media
    let length: BlobLength
    let isWhole: Bool

    /// Takes a file of an allowed length; `nil` for any other.
    init?(_ media: Media, isWhole: Bool) {
        guard let length = BlobLength(media.byteCount) else { return nil }
        (self.media, self.length, self.isWhole) = (media, length, isWhole)
    }

    /// Reads a name; `nil` if it is not one.
    init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let id = Bytes32(hex: parts[0]), let byteCount = UInt64(parts[1]),
            let form = Media.Form(name: parts[2]), parts[3] == "blob" || parts[3] == "part"
        else { return nil }
        self.init(
            Media(id: id, byteCount: byteCount, form: form),
            isWhole: parts[3] == "blob"
        )
        guard self.text == text else { return nil }
    }

    var text: String {
        let id = media.id.hex.dropFirst(2)
        return "\(id).\(media.byteCount).\(media.form.name).\(isWhole ? "blob" : "part")"
    }

    /// The bytes of the file, with the hashes.
    var fileBytes: Int { length.byteCount + hashesBytes }

    var hashesBytes: Int { length.chunkCount * Bytes32.byteCount }
}

extension Media.Form {
    fileprivate var name: String {
        switch self {
        case .jpeg: "jpeg"
        case .png: "png"
        case .webp: "webp"
        case .pdf: "pdf"
        case .sealed: "sealed"
        }
    }

    fileprivate init?(name: some StringProtocol) {
        switch name {
        case "jpeg": self = .jpeg
        case "png": self = .png
        case "webp": self = .webp
        case "pdf": self = .pdf
        case "sealed": self = .sealed
        default: return nil
        }
    }
}
