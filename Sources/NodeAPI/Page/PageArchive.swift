import CPage
import NIOCore

/// The files of the page, as `Scripts/page` packs them into one archive.
///
/// The archive begins with `STOAPAGE` and the number of files; then comes each file: its path, 0 or
/// 1 (packed by gzip), and its bytes. Lengths stand before texts and bytes. The number of files and
/// the length of bytes have 32 bits, the length of a path 16, all in network order.
struct PageArchive: Sendable {
    private static let magic = "STOAPAGE"

    private let files: [String: PageFile]

    /// - Throws: ``DamagedPageArchive``
    init(_ archive: ByteBuffer) throws(DamagedPageArchive) {
        var rest = archive
        guard rest.readString(length: Self.magic.utf8.count) == Self.magic,
            let count = rest.readInteger(as: UInt32.self)
        else { throw DamagedPageArchive() }
        var files: [String: PageFile] = [:]
        for _ in 0..<count {
            let (path, file) = try Self.file(&rest)
            files[path] = file
        }
        guard rest.readableBytes == 0 else { throw DamagedPageArchive() }
        self.files = files
    }

    /// The archive in the program.
    static func embedded() throws(DamagedPageArchive) -> PageArchive {
        let bytes = unsafe UnsafeRawBufferPointer(
            start: stoa_page_bytes(),
            count: stoa_page_length()
        )
        return try PageArchive(unsafe ByteBuffer(bytes: bytes))
    }

    subscript(_ path: String) -> PageFile? { files[path] }

    private static func file(
        _ rest: inout ByteBuffer
    ) throws(DamagedPageArchive) -> (path: String, file: PageFile) {
        guard let pathLength = rest.readInteger(as: UInt16.self),
            let path = rest.readString(length: Int(pathLength)),
            let encoding = rest.readInteger(as: UInt8.self), encoding <= 1,
            let length = rest.readInteger(as: UInt32.self),
            let bytes = rest.readSlice(length: Int(length))
        else { throw DamagedPageArchive() }
        // The name of an asset has the hash of its content.
        let file = PageFile(
            path: path,
            bytes: bytes,
            isGzip: encoding == 1,
            isImmutable: path.hasPrefix("assets/")
        )
        return (path, file)
    }
}

/// The archive in the program is not one that `Scripts/page` makes.
package struct DamagedPageArchive: Error {}
