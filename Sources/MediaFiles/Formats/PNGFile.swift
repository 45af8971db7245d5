import Market

/// The structure of a PNG file.
///
/// Source: ISO/IEC 15948, section 5.
enum PNGFile {
    static let beginning: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The chunks that a decoder could do without but gets, each once, with the maximum of their
    /// bytes.
    private static let usefulMax = [
        "tRNS": 256, "gAMA": 4, "cHRM": 32, "sRGB": 1,
        "iCCP": MetadataLimits.packedProfileBytesMax, "eXIf": MetadataLimits.cameraBytesMax,
    ]

    /// Returns the size of a complete picture, and the picture for the decoder: without what comes
    /// after it, and without texts and the like.
    ///
    /// Texts can be compressed, so that few bytes make the decoder unpack a thousand times as many.
    /// Sums are left to the decoder.
    static func picture(
        of file: FileBytes
    ) throws(MediaFault) -> (size: PictureSize, content: [UInt8]) {
        var place = beginning.count
        guard file.count >= place + 25 else { throw .cutOff(.png) }
        guard file.big(4, at: place) == 13, file.has("IHDR", at: place + 4),
            let width = file.big(4, at: place + 8), let height = file.big(4, at: place + 12),
            width <= Int(Int32.max), height <= Int(Int32.max)
        else { throw .malformed(.png) }
        var hasPixels = false
        var kept = beginning
        kept.reserveCapacity(file.count)
        var useful = usefulMax
        while true {
            guard let length = file.big(4, at: place) else { throw .cutOff(.png) }
            guard length <= Int(Int32.max) else { throw .malformed(.png) }
            // A length, a name, the content and a sum.
            let end = place + 12 + length
            guard end <= file.count else { throw .cutOff(.png) }
            if file.has("acTL", at: place + 4) { throw .animated(.png) }
            if file.has("IDAT", at: place + 4) { hasPixels = true }
            let isLast = file.has("IEND", at: place + 4)
            if isNeeded(file.bytes[place + 4..<place + 8], length, &useful) {
                kept += file.bytes[place..<end]
            }
            place = end
            if isLast { break }
        }
        guard hasPixels else { throw .malformed(.png) }
        return (PictureSize(width: width, height: height), kept)
    }

    /// Returns whether the decoder gets a chunk; `useful` loses the name of one that it can do
    /// without.
    ///
    /// Source: ISO/IEC 15948, section 5.4: the names of such chunks begin with a small letter.
    private static func isNeeded(
        _ name: ArraySlice<UInt8>,
        _ length: Int,
        _ useful: inout [String: Int]
    ) -> Bool {
        guard let first = name.first, first & 0x20 != 0 else { return true }
        guard let most = useful.removeValue(forKey: String(decoding: name, as: UTF8.self)) else {
            return false
        }
        return length <= most
    }
}
