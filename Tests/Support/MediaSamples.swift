import Foundation

/// Files that are built here byte by byte, and the tool that makes others.
package enum MediaSamples {
    /// A picture of one colour, which any decoder reads, with further chunks before the pixels.
    package static func png(
        _ width: Int,
        _ height: Int,
        red: UInt8 = 200,
        green: UInt8 = 30,
        blue: UInt8 = 30,
        chunks: [(String, [UInt8])] = []
    ) -> [UInt8] {
        var row: [UInt8] = [0]
        for _ in 0..<width { row += [red, green, blue] }
        var pixels: [UInt8] = []
        for _ in 0..<height { pixels += row }
        let header: [UInt8] = big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0]
        let more: [UInt8] = chunks.flatMap { chunk($0.0, $0.1) }
        return pngStart + chunk("IHDR", header) + more + chunk("IDAT", deflated(pixels))
            + chunk("IEND", [])
    }

    package static let pngStart: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A chunk of a PNG file, with its sum.
    package static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return big(content.count, 4) + named + big(Int(checksum(named)), 4)
    }

    /// A PNG file that says it is this large, and has pixels for the beginning alone.
    package static func bomb(_ width: Int, _ height: Int) -> [UInt8] {
        let header: [UInt8] = big(width, 4) + big(height, 4) + [1, 0, 0, 0, 0]
        let pixels = [UInt8](repeating: 0, count: 60_000)
        return pngStart + chunk("IHDR", header) + chunk("IDAT", deflated(pixels))
            + chunk("IEND", [])
    }

    /// The segments of a JPEG picture, without pixels that a decoder could read.
    package static func jpeg(
        _ width: Int,
        _ height: Int,
        components: UInt8 = 1,
        segments: [UInt8] = []
    ) -> [UInt8] {
        let parts = (1...components).flatMap { [$0, 0x11, 0] as [UInt8] }
        let frame: [UInt8] = [8] + big(height, 2) + big(width, 2) + [components] + parts
        return [0xFF, 0xD8] + segments + segment(0xC0, frame) + segment(0xDA, [1, 1, 0, 0, 63, 0])
            + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xD9]
    }

    package static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(content.count + 2, 2) + content
    }

    /// Camera data that turns the picture a quarter, tells a secret and has a place.
    package static var cameraData: [UInt8] {
        let text = Array("secret-place".utf8)
        // Each entry: a tag, a type, a count, and a value or where it is.
        let entries: [[UInt8]] = [
            little(0x010E, 2) + little(2, 2) + little(text.count, 4) + little(50, 4),
            little(0x0112, 2) + little(3, 2) + little(1, 4) + little(6, 4),
            little(0x8825, 2) + little(4, 2) + little(1, 4) + little(62, 4),
        ]
        var bytes = Array("II*\0".utf8)
        bytes += little(8, 4) + little(entries.count, 2)
        for entry in entries { bytes += entry }
        bytes += little(0, 4) + text
        // The place: one entry, north or south.
        bytes += little(1, 2) + little(1, 2) + little(2, 2) + little(2, 4)
        bytes += Array("N\0\0\0".utf8) + little(0, 4)
        return bytes
    }

    /// Camera data that only turns the picture a quarter.
    package static var turnedData: [UInt8] {
        Array("II*\0".utf8) + little(8, 4) + little(1, 2) + little(0x0112, 2) + little(3, 2)
            + little(1, 4) + little(6, 4) + little(0, 4)
    }

    /// The same as ``cameraData``, as a segment of a JPEG picture.
    package static var exifSegment: [UInt8] {
        segment(0xE1, Array("Exif\0\0".utf8) + cameraData)
    }

    /// The same, and more metadata: the secret again, and in a comment.
    package static var cameraSegments: [UInt8] {
        exifSegment + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x>secret-place</x>".utf8))
            + segment(0xFE, Array("secret-place".utf8))
    }

    /// A WebP file of chunks.
    package static func webp(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        var body = Array("WEBP".utf8)
        for (name, content) in chunks {
            body += Array(name.utf8) + little(content.count, 4) + content
            if content.count % 2 == 1 { body.append(0) }
        }
        return Array("RIFF".utf8) + little(body.count, 4) + body
    }

    /// The header of pixels of a WebP file, and nothing behind it.
    package static func webpPixels(_ width: Int, _ height: Int) -> [UInt8] {
        [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2)
    }

    /// The extended header of a WebP file.
    package static func webpHeader(_ flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3)
    }

    /// A document with a script that runs when it is opened.
    package static func pdf(ending: String = "") -> [UInt8] {
        let body = """
            %PDF-1.4
            1 0 obj <</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>> endobj
            2 0 obj <</Type/Pages/Kids[]/Count 0>> endobj

            """
        let table = """
            xref
            0 1
            0000000000 65535 f\u{20}
            trailer <</Size 1/Root 1 0 R>>
            startxref
            \(body.utf8.count)
            %%EOF
            """
        return Array((body + table + "\n" + ending).utf8)
    }

    /// What somebody could hide behind a picture.
    package static let page = Array("<script>alert(1)</script>".utf8)
    /// An empty ZIP archive.
    package static let archive = Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18)

    /// A profile of colours with parts of these names and types, and zeros behind them.
    package static func profile(
        _ space: String = "RGB ",
        kind: String = "mntr",
        tags: [(String, String)] = [("rTRC", "curv"), ("wtpt", "XYZ ")],
        more: Int = 0
    ) -> [UInt8] {
        let start = 132 + 12 * tags.count
        let length = start + 12 * tags.count + more
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        var bytes = big(length, 4) + zeros(8) + Array((kind + space + "XYZ ").utf8) + zeros(12)
        bytes += Array("acsp".utf8) + zeros(88) + big(tags.count, 4)
        for (index, tag) in tags.enumerated() {
            bytes += Array(tag.0.utf8) + big(start + 12 * index, 4) + big(12, 4)
        }
        for tag in tags { bytes += Array(tag.1.utf8) + zeros(8) }
        return bytes + zeros(more)
    }

    /// The parts of a profile of colours in a JPEG picture, of at most so many bytes each.
    package static func profileSegments(_ profile: [UInt8], partBytes: Int = 65_000) -> [UInt8] {
        let count = (profile.count + partBytes - 1) / partBytes
        return (0..<count).flatMap { part in
            let start = part * partBytes
            return segment(
                0xE2,
                Array("ICC_PROFILE\0".utf8) + [UInt8(part + 1), UInt8(count)]
                    + profile[start..<min(start + partBytes, profile.count)]
            )
        }
    }

    /// The content of a PNG picture's chunk with a profile of colours.
    package static func packedProfile(_ profile: [UInt8]) -> [UInt8] {
        Array("name\0\0".utf8) + deflated(profile)
    }

    package static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }
    }

    package static func little(_ number: Int, _ count: Int) -> [UInt8] {
        big(number, count).reversed()
    }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951).
    package static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        var place = 0
        repeat {
            let block = bytes[place..<min(place + 65_535, bytes.count)]
            place = block.endIndex
            stream.append(place == bytes.count ? 1 : 0)
            stream += little(block.count, 2) + little(~block.count & 0xFFFF, 2) + block
        } while place < bytes.count
        return stream + big(high << 16 | low, 4)
    }

    /// A zlib stream of 1 + 258 × `runs` zeros (RFC 1951, section 3.2.6).
    package static func packedZeros(runs: Int) -> [UInt8] {
        // The last block, of fixed codes; a zero; copies of 258 bytes at a distance of one; the end.
        var bits: [UInt8] = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<runs { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
        bits += [UInt8](repeating: 0, count: 7)
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bits.count, by: 8) {
            let byte = bits[start..<min(start + 8, bits.count)]
            stream.append(byte.reversed().reduce(0) { $0 << 1 | $1 })
        }
        return stream + big((1 + 258 * runs) % 65_521 * 65_536 + 1, 4)
    }

    /// The sum of a PNG chunk (ISO/IEC 15948, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
        return ~sum
    }
}
