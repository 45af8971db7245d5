import Keys
import Market

@testable import MediaFiles

// Files that people were given by others. MediaFiles is imported as testable, because only its
// service looks into files.

extension FuzzTarget {
    static let keystore = FuzzTarget("keystore", byteCountMax: 2_048) { bytes in
        (try? Keystore(json: bytes)) != nil
    }

    /// A picture or a document.
    static let picture = FuzzTarget("picture") { bytes in
        guard let file = try? InspectedMedia(bytes) else { return false }
        try hold(file.content.count <= bytes.count, "a file does not grow")
        try hold(try InspectedMedia(file.content) == file, "what is kept of a file is the file")
        switch file.form {
        case .jpeg:
            let plain = try JPEGFile(FileBytes(bytes: file.content)).withoutMetadata()
            try hold(
                try JPEGFile(FileBytes(bytes: plain)).size == file.size,
                "a picture's size stays"
            )
        case .webp:
            let plain = try WebPFile(FileBytes(bytes: file.content)).withoutMetadata()
            try hold(
                try WebPFile(FileBytes(bytes: plain)).size() == file.size,
                "a picture's size stays"
            )
        case .png, .pdf, .sealed: break
        }
        return true
    }
}
