import Market

/// Why a file cannot be taken as a picture or a document.
enum MediaFault: Error, Equatable, Sendable {
    case empty
    /// Not one of the types that are taken; `found` is the code of its words, if it is known.
    case otherType(found: String?)
    /// The file ends before the picture or document does.
    case cutOff(Media.Form)
    /// The file is not built as its type demands.
    case malformed(Media.Form)
    /// There are bytes after the end of the document, which others could read as a file of another
    /// type.
    case continued(byteCount: Int)
    /// More than one picture that take turns.
    case animated(Media.Form)
    case tooManyPixels(PictureSize)
    /// Its pixels times their depth exceed the limit for decoding.
    case tooDeep(PictureSize)
    /// A JPEG picture has more scans than its pixels allow.
    case tooManyScans(Int)
    /// The document is an archive too, for programs that read it from its end.
    case alsoArchive
}

/// The size of a picture, in pixels.
struct PictureSize: Hashable, Sendable {
    let width: Int
    let height: Int

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    var pixelCount: Int { width * height }
    var longSide: Int { max(width, height) }
}
