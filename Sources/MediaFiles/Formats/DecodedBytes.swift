/// How much memory a picture takes once it is decoded: its pixels times their depth.
///
/// It does not depend on the length of the file, which can be a few bytes.
enum DecodedBytes {
    /// The maximum for a picture that an account of this node adds.
    static let addedMax = 200_000_000
    /// The most for a picture from another node, where no picture has a side longer than
    /// ``PictureTool/sideMax``.
    static let othersMax = 64 << 20

    /// The bytes of a pixel of a WebP picture: red, green, blue and transparency.
    static let depthOfWebP = 4

    /// Returns the bytes of a pixel of a PNG picture, by its header.
    ///
    /// Source: ISO/IEC 15948, section 11.2.2.
    static func depth(ofPNG file: FileBytes) -> Int {
        let header = PNGFile.beginning.count + 8
        let channels =
            switch file[header + 9] {
            case 0: 1
            case 4: 2
            case 2: 3
            default: 4
            }
        return file[header + 8] == 16 ? 2 * channels : channels
    }

    /// Returns the bytes of a pixel of a JPEG picture.
    ///
    /// A picture in several passes is kept as coefficients of 16 bits until its last pass. The file
    /// is not read again here: by other rules another frame could be found than the decoder's.
    ///
    /// Source: ITU-T T.81, annexes B.2.2 and G.
    static func depth(of picture: JPEGFile) -> Int {
        picture.componentCount * (picture.isInPasses ? 2 : 1)
    }
}
