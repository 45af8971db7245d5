import Market

/// The structure of a JPEG file.
///
/// Source: ITU-T T.81, annex B.
enum JPEGFile {
    static let beginning: [UInt8] = [0xFF, 0xD8, 0xFF]

    /// Phones add smaller pictures, such as a map of brightness, after the one that is shown.
    private static let picturesMax = 16

    /// A part between two markers.
    struct Segment {
        let marker: UInt8
        /// From the marker's first byte to the next marker, with what is scanned.
        let range: Range<Int>
        /// What follows the length.
        let content: Range<Int>

        /// Whether it has neither pixels nor what decoding them needs.
        ///
        /// Application segments and comments; but APP0 is the format's own, and APP14 says how
        /// colours are coded.
        var isMetadata: Bool {
            marker == 0xFE || (0xE1...0xED).contains(marker) || marker == 0xEF
        }
    }

    /// Returns the size of the first picture, if nothing but pictures and zeros follows it.
    static func size(of file: FileBytes) throws(MediaFault) -> PictureSize {
        var size: PictureSize?
        var end = 0
        for _ in 0..<picturesMax where size == nil || file.has(beginning, at: end) {
            let segments = try segments(of: file, from: end)
            let own = try Self.size(segments, in: file)
            size = size ?? own
            end = segments.last?.range.upperBound ?? end
        }
        guard file.bytes[end...].allSatisfy({ $0 == 0 }) else {
            throw .continued(.jpeg, byteCount: file.count - end)
        }
        guard let size else { throw .malformed(.jpeg) }
        return size
    }

    /// Returns a picture, which has nothing after it, without its metadata.
    static func withoutMetadata(_ bytes: [UInt8]) throws(MediaFault) -> [UInt8] {
        let segments = try segments(of: FileBytes(bytes: bytes), from: 0)
        var kept = [UInt8]()
        kept.reserveCapacity(bytes.count)
        for segment in segments where !segment.isMetadata { kept += bytes[segment.range] }
        return kept
    }

    private static func size(
        _ segments: [Segment],
        in file: FileBytes
    ) throws(MediaFault) -> PictureSize {
        let frames = segments.filter {
            // Start of frame; the three others in this range are tables and an extension.
            (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker)
        }
        guard frames.count == 1, let frame = frames.first, frame.content.count >= 6,
            segments.contains(where: { $0.marker == 0xDA }),
            let height = file.big(2, at: frame.content.lowerBound + 1),
            let width = file.big(2, at: frame.content.lowerBound + 3)
        else { throw .malformed(.jpeg) }
        return PictureSize(width: width, height: height)
    }

    /// The most segments, which a picture is far from.
    private static let segmentsMax = 10_000

    /// Returns the segments from a picture's start to its end.
    private static func segments(
        of file: FileBytes,
        from start: Int
    ) throws(MediaFault) -> [Segment] {
        var segments = [Segment(marker: 0xD8, range: start..<start + 2, content: start..<start)]
        var place = start + 2
        while segments.count < segmentsMax {
            let begin = place
            guard let first = file[place] else { throw .cutOff(.jpeg) }
            guard first == 0xFF else { throw .malformed(.jpeg) }
            // Any number of fill bytes may come before the marker.
            while file[place] == 0xFF { place += 1 }
            guard let marker = file[place] else { throw .cutOff(.jpeg) }
            place += 1
            switch marker {
            case 0xD9:
                segments.append(
                    Segment(marker: marker, range: begin..<place, content: begin..<begin)
                )
                return segments
            case 0x01:
                segments.append(
                    Segment(marker: marker, range: begin..<place, content: begin..<begin)
                )
            case 0xC0...0xCF, 0xDA...0xFE:
                guard let length = file.big(2, at: place) else { throw .cutOff(.jpeg) }
                guard length >= 2 else { throw .malformed(.jpeg) }
                guard place + length <= file.count else { throw .cutOff(.jpeg) }
                let content = place + 2..<place + length
                place = content.upperBound
                if marker == 0xDA { place = try endOfScan(in: file, from: place) }
                segments.append(Segment(marker: marker, range: begin..<place, content: content))
            default: throw .malformed(.jpeg)
            }
        }
        throw .malformed(.jpeg)
    }

    /// Returns where the next marker is that ends coded pixels.
    private static func endOfScan(in file: FileBytes, from start: Int) throws(MediaFault) -> Int {
        var place = start
        while let found = file.bytes[place...].firstIndex(of: 0xFF) {
            guard let next = file[found + 1] else { throw .cutOff(.jpeg) }
            switch next {
            case 0x00, 0xD0...0xD7: place = found + 2
            case 0xFF: place = found + 1
            default: return found
            }
        }
        throw .cutOff(.jpeg)
    }
}
