import Market

/// The type of a file by its content, whatever its name.
///
/// The structure is followed from the first byte to the end of the picture or document. Bytes after
/// a picture are left out, because others could take them for a page, a program or an archive, and
/// so is metadata that its decoder does not need; a document with bytes after its end is refused,
/// because it is kept unchanged. The content of a
/// picture is not decoded here.
///
/// Source: Docs/api.md, section 3.4.
struct InspectedMedia: Equatable, Sendable {
    /// The maximum number of pixels of a picture that is decoded, which bounds the memory that this
    /// takes.
    static let pixelsMax = 50_000_000

    let form: Media.Form
    /// `nil` for a document.
    let size: PictureSize?
    /// The picture or document alone, for the decoder or for storage.
    let content: [UInt8]

    /// - Parameters:
    ///   - bytes: The file.
    ///   - decodedMax: The maximum number of bytes that a picture takes once it is decoded.
    /// - Throws: ``MediaFault``
    init(_ bytes: [UInt8], decodedMax: Int = DecodedBytes.addedMax) throws(MediaFault) {
        let file = FileBytes(bytes: bytes)
        guard file.count > 0 else { throw .empty }
        guard let form = Self.form(of: file) else { throw .otherType(found: Self.name(of: file)) }
        self.form = form
        let depth: Int
        switch form {
        case .jpeg:
            let picture = try JPEGFile(file)
            (size, content) = (picture.size, picture.picture())
            depth = DecodedBytes.depth(of: picture)
        case .png:
            let picture = try PNGFile.picture(of: file)
            (size, content) = (picture.size, picture.content)
            depth = DecodedBytes.depth(ofPNG: file)
        case .webp:
            let picture = try WebPFile(file)
            (size, content) = (try picture.size(), picture.picture())
            depth = DecodedBytes.depthOfWebP
        case .sealed: throw .otherType(found: nil)
        case .pdf:
            (size, content, depth) = (nil, bytes, 0)
            try PDFFile.check(file)
        }
        if let size {
            // Neither factor exceeds 32 bits.
            guard size.width > 0, size.height > 0 else { throw .malformed(form) }
            guard size.pixelCount <= Self.pixelsMax else { throw .tooManyPixels(size) }
            guard size.pixelCount * depth <= decodedMax else { throw .tooDeep(size) }
        }
    }

    /// Returns the type by the first bytes alone; `nil` for another than those that are taken.
    static func form(of file: FileBytes) -> Media.Form? {
        if file.has(JPEGFile.beginning, at: 0) { return .jpeg }
        if file.has(PNGFile.beginning, at: 0) { return .png }
        if file.has("RIFF", at: 0), file.has("WEBP", at: 8) { return .webp }
        return file.has("%PDF-", at: 0) ? .pdf : nil
    }

    /// Returns the code of the words for a type that people are likely to try.
    private static func name(of file: FileBytes) -> String? {
        if file.has("GIF8", at: 0) { return "media.gif" }
        if file.has("BM", at: 0) { return "media.bmp" }
        if file.has([0x49, 0x49, 0x2A, 0], at: 0) || file.has([0x4D, 0x4D, 0, 0x2A], at: 0) {
            return "media.tiff"
        }
        if file.has("ftyp", at: 4) {
            let pictures = ["heic", "heix", "mif1", "msf1", "avif", "avis"]
            let brand = String(decoding: file.bytes.dropFirst(8).prefix(4), as: UTF8.self)
            return pictures.contains(brand) ? "media.heic" : "media.film"
        }
        if file.has("PK", at: 0) { return "media.zip" }
        let isText = file.bytes.prefix(512).first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        return isText == UInt8(ascii: "<") ? "media.page" : nil
    }
}

/// The type of a file by its first bytes, for a program that is about to send it.
package enum MediaBeginning {
    /// Returns whether a file begins like a picture that a node takes.
    ///
    /// - Parameter bytes: The file.
    /// - Returns: `false` for documents and for all that a node does not take.
    package static func isPicture(_ bytes: [UInt8]) -> Bool {
        InspectedMedia.form(of: FileBytes(bytes: bytes))?.isImage == true
    }
}
