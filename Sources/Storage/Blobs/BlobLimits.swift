/// Bounds on the disk space of blobs.
package struct BlobLimits: Sendable {
    /// Bytes of all files together, each in blocks of 4 KiB: pinned, cached and incomplete ones.
    package let quotaBytes: Int
    /// Bytes of the files that one account adds.
    package let accountBytesMax: Int
    /// Bytes of files stored for guests.
    package let homedBytesMax: Int
    /// Of these, bytes for the accounts that asked for their leases from one address.
    package let homedOriginBytesMax: Int
    /// Of these, bytes for one account.
    package let homedAccountBytesMax: Int
    /// How much older a file's time must be before a use renews it.
    package let renewal = Duration.seconds(60)

    /// Returns the disk space of a file: it begins in a new block of 4 KiB.
    ///
    /// - Parameter byteCount: The length of the file.
    /// - Returns: The length, up to the next multiple of 4 KiB.
    package static func room<Count: BinaryInteger>(for byteCount: Count) -> Count {
        (byteCount + 4_095) / 4_096 * 4_096
    }

    package init(quotaBytes: Int) {
        self.quotaBytes = quotaBytes
        accountBytesMax = quotaBytes / 4
        homedBytesMax = quotaBytes / 4
        homedOriginBytesMax = homedBytesMax / 4
        homedAccountBytesMax = homedBytesMax / 16
    }
}
