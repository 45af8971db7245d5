import Market

/// The pixels of a PNG picture, unpacked only to count their bytes.
///
/// Pixels unpack to a thousand times their bytes, and the decoder unpacks also those that come
/// after the last row.
enum PNGPixels {
    /// The bytes after the last row that a picture can have; some programs write a few.
    private static let excessMax = 1 << 20
    /// How many pieces are unpacked before other work gets its turn.
    private static let piecesAtOnce = 32

    /// Checks that a picture's pixels have at most the bytes that its size needs.
    ///
    /// A large picture takes half a second, so this gives way to other work. Bytes that are damaged
    /// or missing are left to the decoder.
    ///
    /// - Parameter picture: A picture as ``PNGFile`` makes it for the decoder.
    /// - Throws: ``MediaFault``; `CancellationError`.
    @concurrent
    static func check(_ picture: [UInt8]) async throws {
        let file = FileBytes(bytes: picture)
        guard let bytesMax = bytesMax(of: file) else { return }
        var byteCount = 0
        for (number, piece) in Inflated(packed(in: file)).enumerated() {
            byteCount += piece.count
            guard byteCount <= bytesMax else { throw MediaFault.malformed(.png) }
            guard number % piecesAtOnce == piecesAtOnce - 1 else { continue }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Returns the contents of all chunks of pixels, which are one stream.
    private static func packed(in file: FileBytes) -> [UInt8] {
        var packed: [UInt8] = []
        var place = PNGFile.beginning.count
        while let length = file.big(4, at: place), place + 12 + length <= file.count {
            if file.has("IDAT", at: place + 4) {
                packed += file.bytes[place + 8..<place + 8 + length]
            }
            place += 12 + length
        }
        return packed
    }

    /// Returns the maximum of a picture's unpacked bytes; `nil` if others refuse it.
    ///
    /// Each row begins with a byte of its own and ends with a whole byte; an interlaced picture has
    /// almost twice as many rows.
    ///
    /// Source: ISO/IEC 15948, sections 7.2, 8.2 and 11.2.2.
    private static func bytesMax(of file: FileBytes) -> Int? {
        let header = PNGFile.beginning.count + 8
        guard let width = file.big(4, at: header), let height = file.big(4, at: header + 4),
            let depth = file.big(1, at: header + 8), let type = file.big(1, at: header + 9),
            max(width, height) <= InspectedMedia.pixelsMax,
            width * height <= InspectedMedia.pixelsMax
        else { return nil }
        let channels = [0: 1, 2: 3, 3: 1, 4: 2][type] ?? 4
        return width * height * channels * depth / 8 + 4 * height + excessMax
    }
}
