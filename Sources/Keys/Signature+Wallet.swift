extension Signature {
    /// Reads `r ‖ s ‖ v` as wallets return it: `v` is 27 or 28, or 0 or 1 as some devices write it.
    ///
    /// Source: Docs/protocol.md, section 3.5.
    package init?(wallet bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let v = bytes.last else { return nil }
        self.init(v <= 1 ? bytes.dropLast() + [v + 27] : bytes)
    }
}
