import Market

/// The frame of a PDF file; its content is not read.
///
/// A document can have scripts and forms, which is why it is only ever saved, never shown by this
/// node's pages.
///
/// Source: ISO 32000-2, sections 7.5.2 and 7.5.5.
enum PDFFile {
    /// The longest comment that an archive can have after its directory.
    private static let commentByteCountMax = 65_535

    /// Checks that a file begins and ends as a document, and that it is not an archive as well.
    static func check(_ file: FileBytes) throws(MediaFault) {
        guard let major = file[5], isDigit(major), file[6] == UInt8(ascii: "."),
            let minor = file[7], isDigit(minor)
        else { throw .malformed(.pdf) }
        let end = try endOfDocument(in: file)
        var place = end
        // Backwards: a number, and the word before it.
        skip(isBlank, before: &place, in: file)
        let last = place
        skip(isDigit, before: &place, in: file)
        let offset = Int(String(decoding: file.bytes[place..<last], as: UTF8.self))
        skip(isBlank, before: &place, in: file)
        guard file.has("startxref", at: place - 9), let offset, offset < place else {
            throw .malformed(.pdf)
        }
        // The table of the document's parts, or a part that holds it.
        var table = offset
        while let byte = file[table], isBlank(byte) { table += 1 }
        guard file.has("xref", at: table) || file[table].map(isDigit) == true else {
            throw .malformed(.pdf)
        }
        try checkIsNoArchive(file)
    }

    /// Returns the position of the last `%%EOF`, after which only blanks may follow.
    private static func endOfDocument(in file: FileBytes) throws(MediaFault) -> Int {
        var place = file.count
        skip({ isBlank($0) || $0 == 0 }, before: &place, in: file)
        if file.has("%%EOF", at: place - 5) { return place - 5 }
        let mark = Array("%%EOF".utf8)
        var found = place - mark.count
        while found >= 0, !file.has(mark, at: found) { found -= 1 }
        guard found >= 0 else { throw .cutOff(.pdf) }
        throw .continued(byteCount: place - found - mark.count)
    }

    /// Source: APPNOTE.TXT of ZIP, section 4.3.16.
    private static func checkIsNoArchive(_ file: FileBytes) throws(MediaFault) {
        let first = max(0, file.count - 22 - commentByteCountMax)
        for place in first..<max(first, file.count - 21)
        where file.bytes[place] == UInt8(ascii: "P") && file.has([0x50, 0x4B, 5, 6], at: place) {
            if file.little(2, at: place + 20) == file.count - place - 22 { throw .alsoArchive }
        }
    }

    private static func skip(
        _ isSkipped: (UInt8) -> Bool,
        before place: inout Int,
        in file: FileBytes
    ) {
        while place > 0, isSkipped(file.bytes[place - 1]) { place -= 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
