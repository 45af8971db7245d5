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
    /// Texts can be compressed, so that few bytes make the decoder unpack a thousand times as many;
    /// so can pixels, which are refused if there are more bytes of them than pixels need
    /// (``PNGPixels`` counts them unpacked). Of the camera's data the decoder gets only how the
    /// picture is turned. Sums are left to the decoder.
    static func picture(
        of file: FileBytes
    ) throws(MediaFault) -> (size: PictureSize, content: [UInt8]) {
        var place = beginning.count
        guard file.count >= place + 25 else { throw .cutOff(.png) }
        guard file.big(4, at: place) == 13, file.has("IHDR", at: place + 4),
            let width = file.big(4, at: place + 8), let height = file.big(4, at: place + 12),
            width <= Int(Int32.max), height <= Int(Int32.max)
        else { throw .malformed(.png) }
        var pixelBytes: Int?
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
            if file.has("IDAT", at: place + 4) { pixelBytes = (pixelBytes ?? 0) + length }
            let isLast = file.has("IEND", at: place + 4)
            if isNeeded(file.bytes[place + 4..<place + 8], length, &useful) {
                let content = file.bytes[place + 8..<end - 4]
                if file.has("eXIf", at: place + 4) {
                    kept += orientation(in: content)
                } else if !file.has("iCCP", at: place + 4) || hasSimpleProfile(content) {
                    kept += file.bytes[place..<end]
                }
            }
            place = end
            if isLast { break }
        }
        let size = PictureSize(width: width, height: height)
        guard let pixelBytes, pixelBytes <= pixelBytesMax(of: size) else { throw .malformed(.png) }
        return (size, kept)
    }

    /// The maximum of the compressed bytes of a picture's pixels, which compressing makes hardly
    /// more: at most eight a pixel, and some for each row; too large pictures are refused by
    /// others.
    private static func pixelBytesMax(of size: PictureSize) -> Int {
        guard size.pixelCount <= InspectedMedia.pixelsMax else { return .max }
        let raw = 8 * size.pixelCount + 4 * size.height
        return raw + raw / 64 + 65_536
    }

    /// Returns the chunk that says only how the picture is turned; nothing if it is upright.
    private static func orientation(in data: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let turned = CameraData.orientation(in: data) else { return [] }
        let named = Array("eXIf".utf8) + turned
        let sum = sum(of: named)
        return [0, 0, 0, UInt8(turned.count)] + named
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }

    /// Source: ISO/IEC 15948, annex D (the cyclic redundancy code of ISO 3309).
    private static func sum(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1
            }
        }
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

    /// Returns whether a chunk's profile of colours is one that a decoder gets.
    ///
    /// Source: ISO/IEC 15948, section 11.3.3.3: a name of up to 79 bytes, a zero, and the method of
    /// packing, which is 0.
    private static func hasSimpleProfile(_ content: ArraySlice<UInt8>) -> Bool {
        guard let end = content.prefix(80).firstIndex(of: 0),
            let profile = Inflated.whole(
                Array(content[end...].dropFirst(2)),
                bytesMax: MetadataLimits.profileBytesMax
            ).map(FileBytes.init)
        else { return false }
        return profile.big(4, at: 0) == profile.count && ColourProfile.isSimple(profile)
    }
}
