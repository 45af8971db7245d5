/// The metadata that a decoder gets with a picture, in bytes; longer ones are left out.
///
/// A decoder needs only two kinds: the profile of colours, and the camera's data, which says how
/// the picture is turned. All others are work for it, and a way into it.
enum MetadataLimits {
    /// The profile of colours; the longest ones, of printers, have about two million bytes.
    static let profileBytesMax = 4 << 20
    /// The same, compressed, in a PNG picture; unpacked it has at most ``profileBytesMax`` too.
    static let packedProfileBytesMax = 64 << 10
    /// The camera's data; a segment of a JPEG picture cannot hold more.
    static let cameraBytesMax = 64 << 10
}
