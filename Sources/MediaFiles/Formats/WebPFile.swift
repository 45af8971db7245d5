import Market

/// The structure of a WebP file.
///
/// Source: RFC 9649, section 2.
struct WebPFile {
    private struct Chunk {
        let name: String
        /// With its header and the byte that makes its length even.
        let range: Range<Int>
        let content: Range<Int>
    }

    /// The maximum number of chunks; a still picture has a handful.
    private static let chunksMax = 1_000

    /// The metadata, and the bits of the extended header that say that it is there.
    private static let metadata: [String: UInt8] = ["ICCP": 0x20, "EXIF": 0x08, "XMP ": 0x04]
    private static let animationFlag: UInt8 = 0x02

    private let file: FileBytes
    private let chunks: [Chunk]
    /// Where the picture ends in the file.
    let end: Int

    /// - Throws: ``MediaFault`` if the picture is not one row of chunks to its end.
    init(_ file: FileBytes) throws(MediaFault) {
        guard let length = file.little(4, at: 4) else { throw .cutOff(.webp) }
        guard length >= 4 else { throw .malformed(.webp) }
        // Some programs leave out the last byte, which only makes the length even.
        let end = 8 + length
        guard end <= file.count else { throw .cutOff(.webp) }
        self.end = min(end + length % 2, file.count)
        var chunks: [Chunk] = []
        var place = 12
        while place < end {
            guard chunks.count < Self.chunksMax, let length = file.little(4, at: place + 4) else {
                throw .malformed(.webp)
            }
            let content = place + 8..<place + 8 + length
            guard content.upperBound <= end else { throw .malformed(.webp) }
            let next = min(content.upperBound + length % 2, self.end)
            let name = String(decoding: file.bytes[place..<place + 4], as: UTF8.self)
            chunks.append(Chunk(name: name, range: place..<next, content: content))
            place = next
        }
        (self.file, self.chunks) = (file, chunks)
    }

    /// Returns the picture's size.
    ///
    /// - Throws: ``MediaFault`` for an animated picture, or one without pixels.
    func size() throws(MediaFault) -> PictureSize {
        guard let first = chunks.first else { throw .malformed(.webp) }
        let start = first.content.lowerBound
        guard first.name == "VP8X" else { return try size(ofPixels: first) }
        guard first.content.count >= 10, let flags = file[start],
            let width = file.little(3, at: start + 4), let height = file.little(3, at: start + 7)
        else { throw .malformed(.webp) }
        let isAnimated =
            flags & Self.animationFlag != 0
            || chunks.contains { ["ANIM", "ANMF"].contains($0.name) }
        guard !isAnimated else { throw .animated(.webp) }
        let pixels = chunks.filter { ["VP8 ", "VP8L"].contains($0.name) }
        guard pixels.count == 1, let only = pixels.first,
            try size(ofPixels: only) == PictureSize(width: width + 1, height: height + 1)
        else { throw .malformed(.webp) }
        return PictureSize(width: width + 1, height: height + 1)
    }

    /// Source: RFC 6386, section 9.1; RFC 9649, section 3.4.
    private func size(ofPixels chunk: Chunk) throws(MediaFault) -> PictureSize {
        let start = chunk.content.lowerBound
        switch chunk.name {
        case "VP8 ":
            guard chunk.content.count >= 10, file.has([0x9D, 0x01, 0x2A], at: start + 3),
                let width = file.little(2, at: start + 6),
                let height = file.little(2, at: start + 8)
            else { throw .malformed(.webp) }
            // The two upper bits are a scale for display.
            return PictureSize(width: width & 0x3FFF, height: height & 0x3FFF)
        case "VP8L":
            guard chunk.content.count >= 5, file[start] == 0x2F,
                let bits = file.little(4, at: start + 1)
            else { throw .malformed(.webp) }
            return PictureSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        default: throw .malformed(.webp)
        }
    }

    /// Returns the picture for the decoder.
    ///
    /// It lacks what comes after it, and metadata that decoding does not need. Of the camera's data
    /// it has only how the picture is turned.
    func picture() -> [UInt8] {
        let camera = chunks.first { $0.name == "EXIF" }
        let turned = camera.flatMap { CameraData.orientation(in: file.bytes[$0.content]) }
        func isNeeded(_ chunk: Chunk) -> Bool {
            switch chunk.name {
            case "XMP ": false
            case "ICCP": ColourProfile.isSimple(FileBytes(bytes: Array(file.bytes[chunk.content])))
            case "EXIF": turned != nil && chunk.range == camera?.range
            default: true
            }
        }
        if camera == nil, chunks.allSatisfy(isNeeded) { return Array(file.bytes[..<end]) }
        return bytes(of: isNeeded, camera: turned)
    }

    /// Returns the picture without its metadata.
    func withoutMetadata() -> [UInt8] { bytes { Self.metadata[$0.name] == nil } }

    /// The camera's data is replaced by `camera`, an even number of bytes.
    private func bytes(of isKept: (Chunk) -> Bool, camera: [UInt8]? = nil) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(file.count)
        let names = Set(chunks.filter(isKept).map(\.name))
        var missing: UInt8 = 0
        for (name, flag) in Self.metadata where !names.contains(name) { missing |= flag }
        for chunk in chunks where isKept(chunk) {
            var bytes = Array(file.bytes[chunk.range])
            if chunk.name == "VP8X", !chunk.content.isEmpty { bytes[8] &= ~missing }
            if chunk.name == "EXIF", let camera {
                bytes = Array("EXIF".utf8) + [UInt8(camera.count), 0, 0, 0] + camera
            }
            if bytes.count % 2 == 1 { bytes.append(0) }
            kept += bytes
        }
        let length = UInt32(kept.count + 4)
        let header = Array("RIFF".utf8) + (0..<4).map { UInt8(length >> (8 * $0) & 0xFF) }
        return header + Array("WEBP".utf8) + kept
    }
}
