/// Bounds on what blobs take on the disk.
package struct BlobLimits: Sendable {
    /// Bytes of all files together: pinned, cached and incomplete ones.
    package let quotaBytes: Int
    /// Bytes of the files that one account adds.
    package let accountBytesMax: Int
    /// How much older a file's time must be before a use renews it.
    package let renewal = Duration.seconds(60)

    package init(quotaBytes: Int) {
        self.quotaBytes = quotaBytes
        accountBytesMax = quotaBytes / 4
    }
}
