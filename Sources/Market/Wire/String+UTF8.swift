extension String {
    /// Reads text in UTF-8; `nil` if the bytes are none.
    ///
    /// Most text is ASCII, for which the standard library's check would take most of the time.
    init?(utf8 bytes: ArraySlice<UInt8>) {
        if bytes.reduce(0, |) < 0x80 {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(validating: bytes, as: UTF8.self)
        }
    }
}
