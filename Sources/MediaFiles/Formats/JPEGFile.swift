import Market

/// The first picture in a JPEG file; phones and scanners add further pictures, films and tables.
///
/// Source: ITU-T T.81, annex B.
struct JPEGFile {
    static let beginning: [UInt8] = [0xFF, 0xD8, 0xFF]

    /// The maximum number of segments.
    ///
    /// Real pictures have far fewer: a profile of colours has at most 255 parts.
    static let segmentsMax = 1_000

    /// The maximum number of scans, and of the pixels of all of them.
    ///
    /// A scan of a few bytes makes the decoder pass over all pixels. Usual pictures in passes have
    /// 10 scans, and those of programs that look for the shortest file hardly more than 20.
    static let scansMax = 100
    static let scannedPixelsMax = 1_500_000_000

    /// Frames of pictures in several passes.
    private static let inPasses: [UInt8] = [0xC2, 0xC6, 0xCA, 0xCE]

    /// A part between two markers.
    private struct Segment {
        let marker: UInt8
        /// From the marker's first byte to the end of the segment, including its scan data.
        let range: Range<Int>
        /// The bytes after the length.
        let content: Range<Int>

        /// Whether it has neither pixels nor the data that decoding them needs.
        ///
        /// Application segments and comments; but APP0 is the format's own, and APP14 says how
        /// colours are coded.
        var isMetadata: Bool {
            marker == 0xFE || (0xE1...0xED).contains(marker) || marker == 0xEF
        }
    }

    private let file: FileBytes
    private let segments: [Segment]
    /// Whether the profile of colours is left out for the decoder.
    private let leavesOutProfile: Bool
    let size: PictureSize
    /// Colours of a pixel; at least 1.
    let componentCount: Int
    /// Whether the decoder holds all coefficients until the last scan.
    ///
    /// It does so for a picture in several passes, and for one whose first scan lacks a colour.
    let isInPasses: Bool

    /// - Throws: ``MediaFault`` for a picture that is cut off or not built as it must be.
    init(_ file: FileBytes) throws(MediaFault) {
        let segments = try Self.segments(of: file)
        let frames = segments.filter {
            // Start of frame; the three others in this range are tables and an extension.
            (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker)
        }
        guard frames.count == 1, let frame = frames.first,
            let scan = segments.first(where: { $0.marker == 0xDA }), !scan.content.isEmpty,
            let height = file.big(2, at: frame.content.lowerBound + 1),
            let width = file.big(2, at: frame.content.lowerBound + 3),
            let componentCount = file.big(1, at: frame.content.lowerBound + 5),
            componentCount > 0, frame.content.count == 6 + 3 * componentCount,
            let ofFirstScan = file.big(1, at: scan.content.lowerBound)
        else { throw .malformed(.jpeg) }
        (self.file, self.segments, self.componentCount) = (file, segments, componentCount)
        size = PictureSize(width: width, height: height)
        let scanCount = segments.count { $0.marker == 0xDA }
        // Others refuse a larger picture.
        let pixelCount = min(size.pixelCount, InspectedMedia.pixelsMax)
        guard scanCount <= Self.scansMax, scanCount * pixelCount <= Self.scannedPixelsMax
        else { throw .tooManyScans(scanCount) }
        isInPasses = Self.inPasses.contains(frame.marker) || ofFirstScan < componentCount
        leavesOutProfile = !Self.hasUsableProfile(segments, of: file, isGrey: componentCount == 1)
    }

    /// Returns the picture for the decoder.
    ///
    /// It lacks the bytes between segments and after the end, metadata that decoding does not need,
    /// and a profile of colours that is not simple or that a grey picture cannot have. Of the
    /// camera's data it has only how the picture is turned.
    func picture() -> [UInt8] {
        let camera = segments.first {
            $0.marker == 0xE1 && file.has(CameraData.prefix, at: $0.content.lowerBound)
        }
        let turned = camera.flatMap { CameraData.orientation(in: file.bytes[$0.content]) }
        return bytes { segment in
            if let turned, segment.range == camera?.range {
                let content = CameraData.prefix + turned
                return [0xFF, 0xE1, 0, UInt8(2 + content.count)] + content
            }
            // A profile can have several parts; all of them are removed.
            let isKept =
                Self.isOfProfile(segment, in: file) ? !leavesOutProfile : !segment.isMetadata
            return isKept ? file.bytes[segment.range] : []
        }
    }

    /// Returns the picture, with nothing after it, without its metadata.
    func withoutMetadata() -> [UInt8] { bytes { $0.isMetadata ? [] : file.bytes[$0.range] } }

    private func bytes(of content: (Segment) -> ArraySlice<UInt8>) -> [UInt8] {
        var kept = [UInt8]()
        kept.reserveCapacity(file.count)
        for segment in segments { kept += content(segment) }
        return kept
    }

    /// Whether all parts of the profile are there, in order, and it is one that a decoder gets.
    ///
    /// Scanners write profiles of other colours into grey pictures, and the decoder refuses them.
    ///
    /// Source: ICC.1, sections 7.2.6 (colour space) and B.4 (JPEG).
    private static func hasUsableProfile(
        _ segments: [Segment],
        of file: FileBytes,
        isGrey: Bool
    ) -> Bool {
        let parts = segments.filter { isOfProfile($0, in: file) }.map(\.content)
        var profile: [UInt8] = []
        for (index, part) in parts.enumerated() {
            // A name of 12 bytes, the part's number, and how many there are.
            guard part.count >= 14, file.big(1, at: part.lowerBound + 12) == index + 1,
                file.big(1, at: part.lowerBound + 13) == parts.count
            else { return false }
            profile += file.bytes[part.dropFirst(14)]
        }
        let bytes = FileBytes(bytes: profile)
        return ColourProfile.isSimple(bytes) && (!isGrey || ColourProfile.isOfGrey(bytes))
    }

    /// Whether it is a part of a profile of colours.
    private static func isOfProfile(_ segment: Segment, in file: FileBytes) -> Bool {
        segment.marker == 0xE2 && file.has("ICC_PROFILE\0", at: segment.content.lowerBound)
    }

    /// Returns the segments from the picture's start to its end.
    private static func segments(of file: FileBytes) throws(MediaFault) -> [Segment] {
        var segments = [Segment(marker: 0xD8, range: 0..<2, content: 0..<0)]
        var place = 2
        while segments.count < segmentsMax {
            // Some programs leave zeros or other bytes between segments, which decoders skip.
            guard var begin = file.bytes[place...].firstIndex(of: 0xFF) else {
                throw .cutOff(.jpeg)
            }
            place = begin
            // Any number of fill bytes may precede the marker.
            while file[place] == 0xFF { place += 1 }
            begin = place - 1
            guard let marker = file[place] else { throw .cutOff(.jpeg) }
            place += 1
            switch marker {
            case 0x00: continue
            case 0x01, 0xD9:
                segments.append(
                    Segment(marker: marker, range: begin..<place, content: begin..<begin)
                )
                if marker == 0xD9 { return segments }
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

    /// Returns the position of the next marker that ends coded pixels.
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
