import Market

/// The structure of a PNG file.
///
/// Source: ISO/IEC 15948, section 5.
enum PNGFile {
    static let beginning: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Returns the size of a complete picture, and its end in the file.
    ///
    /// Sums are left to the decoder.
    static func size(of file: FileBytes) throws(MediaFault) -> (PictureSize, end: Int) {
        var place = beginning.count
        guard file.count >= place + 25 else { throw .cutOff(.png) }
        guard file.big(4, at: place) == 13, file.has("IHDR", at: place + 4),
            let width = file.big(4, at: place + 8), let height = file.big(4, at: place + 12),
            width <= Int(Int32.max), height <= Int(Int32.max)
        else { throw .malformed(.png) }
        var hasPixels = false
        while true {
            guard let length = file.big(4, at: place) else { throw .cutOff(.png) }
            guard length <= Int(Int32.max) else { throw .malformed(.png) }
            // A length, a name, the content and a sum.
            let end = place + 12 + length
            guard end <= file.count else { throw .cutOff(.png) }
            if file.has("acTL", at: place + 4) { throw .animated(.png) }
            if file.has("IDAT", at: place + 4) { hasPixels = true }
            let isLast = file.has("IEND", at: place + 4)
            place = end
            if isLast { break }
        }
        guard hasPixels else { throw .malformed(.png) }
        return (PictureSize(width: width, height: height), end: place)
    }
}
