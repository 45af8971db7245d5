import CPNG

extension QRCode {
    /// The pixels of a module's side in a PNG image.
    private static let scale = 8

    /// The code as a PNG image.
    ///
    /// - Throws: ``Failure`` with libpng's reason.
    func png() throws -> [UInt8] {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        let side = fullWidth * Self.scale
        unsafe image.width = png_uint_32(side)
        unsafe image.height = png_uint_32(side)
        unsafe image.format = png_uint_32(PNG_FORMAT_GRAY)
        let pixels = pixels(scale: Self.scale)
        var byteCount = png_alloc_size_t(0)
        // The first call only returns the image's size in bytes.
        guard unsafe png_image_write_to_memory(&image, nil, &byteCount, 0, pixels, 0, nil) != 0
        else { throw unsafe Self.failure(image) }
        var bytes = [UInt8](repeating: 0, count: Int(byteCount))
        guard unsafe png_image_write_to_memory(&image, &bytes, &byteCount, 0, pixels, 0, nil) != 0
        else { throw unsafe Self.failure(image) }
        return Array(bytes.prefix(Int(byteCount)))
    }

    private static func failure(_ image: png_image) -> Failure {
        let message = unsafe withUnsafeBytes(of: image.message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return Failure(.failed, "The image cannot be made: \(message).")
    }
}
