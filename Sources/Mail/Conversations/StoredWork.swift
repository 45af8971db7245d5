package import Keys
package import Market

/// Where the encrypted file of a digital work is, and its key; kept sealed.
package struct StoredWork: Codable, Hashable, Sendable {
    /// The file's SHA-256.
    package let file: String
    /// The encrypted file, and its length.
    package let blob: String
    package let byteCount: UInt64
    package let key: String
    package var name: String
    /// Whether another node of the account has reported it.
    package var isFollowed: Bool?

    package init(file: Bytes32, blob: Bytes32, byteCount: UInt64, key: Bytes32, name: String) {
        (self.file, self.blob) = (file.hex, blob.hex)
        (self.byteCount, self.key, self.name) = (byteCount, key.hex, name)
    }

    package init(_ mail: MailWork) {
        self.init(
            file: mail.file,
            blob: mail.blob,
            byteCount: mail.byteCount,
            key: mail.key,
            name: mail.name
        )
    }

    /// Returns the message to the buyer of a sale; `nil` if this is damaged.
    package func mail(for sale: SaleReference) -> MailWork? {
        guard let file = Bytes32(hex: file), let blob = Bytes32(hex: blob),
            let key = Bytes32(hex: key)
        else { return nil }
        return try? MailWork(
            for: sale,
            file: file,
            blob: blob,
            byteCount: byteCount,
            key: key,
            name: name
        )
    }
}
