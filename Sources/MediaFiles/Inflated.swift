import CZlib

/// The unpacked bytes of a zlib stream or gzip file, in pieces of at most 64 KiB.
///
/// Few bytes unpack to a thousand times as many, so the reader counts them, and stops. It ends at
/// the end of the stream or of the packed bytes, or at the first damaged one.
///
/// Source: RFC 1950; RFC 1952; zlib.h, "inflate".
@safe
package final class Inflated: Sequence, IteratorProtocol {
    /// Whether the stream was read to its own end.
    private(set) var isWhole = false

    private let packed: [UInt8]
    private var place = 0
    private var isOver: Bool
    private var piece = [UInt8](repeating: 0, count: 65_536)
    /// zlib keeps its address.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init(_ packed: [UInt8], isGzip: Bool = false) {
        self.packed = packed
        unsafe stream.initialize(to: z_stream())
        isOver = unsafe stoa_inflate_init(stream, isGzip ? 1 : 0) != Z_OK
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Returns all bytes of the stream; `nil` if it is damaged or cut off, or has more than
    /// `bytesMax`.
    static func whole(_ packed: [UInt8], bytesMax: Int) -> [UInt8]? {
        Inflated(packed).whole(bytesMax: bytesMax)
    }

    /// As ``whole(_:bytesMax:)``, of a gzip file.
    package static func gunzipped(_ packed: [UInt8], bytesMax: Int) -> [UInt8]? {
        Inflated(packed, isGzip: true).whole(bytesMax: bytesMax)
    }

    private func whole(bytesMax: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while let piece = next() {
            guard bytes.count + piece.count <= bytesMax else { return nil }
            bytes += piece
        }
        return isWhole ? bytes : nil
    }

    package func next() -> ArraySlice<UInt8>? {
        guard !isOver else { return nil }
        let code = unsafe packed.withUnsafeBufferPointer { packed in
            unsafe piece.withUnsafeMutableBufferPointer { piece in
                let rest = unsafe packed[place...]
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: UnsafeBufferPointer(rebasing: rest).baseAddress
                )
                unsafe stream.pointee.avail_in = UInt32(rest.count)
                unsafe stream.pointee.next_out = piece.baseAddress
                unsafe stream.pointee.avail_out = UInt32(piece.count)
                return unsafe inflate(stream, Z_NO_FLUSH)
            }
        }
        place = unsafe packed.count - Int(stream.pointee.avail_in)
        isWhole = code == Z_STREAM_END
        isOver = code != Z_OK
        let count = unsafe piece.count - Int(stream.pointee.avail_out)
        return count == 0 ? nil : piece[..<count]
    }
}
