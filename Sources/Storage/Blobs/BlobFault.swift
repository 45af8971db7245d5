/// Why a file was not kept; nothing is damaged.
package enum BlobFault: Error, Equatable, Sendable {
    /// It has no bytes.
    case empty
    /// It is longer than any blob.
    case tooLong(byteCountMax: Int)
    /// The room for blobs is taken by files that must stay.
    case noRoom(quotaBytes: Int)
    /// The account has added as much as one may.
    case accountFull(bytesMax: Int)
    /// The bytes are not those of the id; they were damaged on the disk and must be fetched again.
    case damaged
    /// The same file is being fetched already.
    case busy
}

extension BlobFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the file is empty; choose another"
        case .tooLong(let byteCountMax):
            "the file is longer than \(byteCountMax) bytes; choose a smaller one"
        case .noRoom(let quotaBytes):
            "the \(quotaBytes >> 20) MiB for files are used by those that accounts of this node "
                + "added; the operator can raise media.mebibytes"
        case .accountFull(let bytesMax):
            "this account's files would exceed \(bytesMax >> 20) MiB, a quarter of this node's "
                + "room for files; remove some ('stoa media list'), or let the operator raise "
                + "media.mebibytes"
        case .damaged: "the file was damaged on the disk and was removed; try again"
        case .busy: "the file is being fetched already; try again"
        }
    }
}
