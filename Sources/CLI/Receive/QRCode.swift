import CQREncode

/// A QR code: a square of dark and light modules.
///
/// Source: ISO/IEC 18004, as libqrencode implements it.
struct QRCode: Sendable {
    /// How many light modules surround the code, so that readers find it.
    static let quietModules = 4

    /// The number of modules in a row, without the quiet zone.
    let width: Int
    private let dark: [Bool]

    /// Makes a code of a text, in which 15 % of the modules can be unreadable.
    ///
    /// - Throws: ``Failure`` for a text that is too long for a code.
    init(_ text: String) throws {
        guard let code = unsafe QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else {
            throw Failure(.failed, "The text is too long for a QR code.")
        }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        self.width = width
        // The lowest bit of a module says whether it is dark.
        dark = unsafe modules.map { $0 & 1 == 1 }
    }

    /// The number of modules in a row with the quiet zone.
    var fullWidth: Int { width + 2 * Self.quietModules }

    /// Returns whether a module is dark; the quiet zone is light.
    ///
    /// - Parameters:
    ///   - row: From 0, the quiet zone's first.
    ///   - column: From 0, the quiet zone's first.
    /// - Returns: Whether it is dark.
    func isDark(row: Int, column: Int) -> Bool {
        let (row, column) = (row - Self.quietModules, column - Self.quietModules)
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return dark[row * width + column]
    }

    /// The code for a terminal, two rows of modules in each line.
    ///
    /// Light modules are drawn and dark ones left out, and the colours are set, so that the code is
    /// read on dark and light terminals alike. Without colours, it suits a dark terminal.
    ///
    /// - Parameter hasColours: Whether the terminal supports the colours of ECMA-48.
    /// - Returns: The lines, from the top.
    func lines(hasColours: Bool) -> [String] {
        stride(from: 0, to: fullWidth, by: 2).map { row in
            let blocks = (0..<fullWidth).map { column in
                let upper = isDark(row: row, column: column)
                let lower = row + 1 >= fullWidth || isDark(row: row + 1, column: column)
                return switch (upper, lower) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            let line = blocks.joined()
            return hasColours ? "\u{1B}[37;40m\(line)\u{1B}[0m" : line
        }
    }

    /// The code as an SVG image, in which a module is one unit wide.
    var svg: String {
        var path = ""
        for row in 0..<fullWidth {
            for column in 0..<fullWidth where isDark(row: row, column: column) {
                path += "M\(column) \(row)h1v1h-1z"
            }
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(fullWidth) \(fullWidth)" \
            width="\(fullWidth * 8)" height="\(fullWidth * 8)" shape-rendering="crispEdges">
            <path fill="#fff" d="M0 0h\(fullWidth)v\(fullWidth)h-\(fullWidth)z"/>
            <path d="\(path)"/>
            </svg>

            """
    }

    /// The code's pixels in grey, row by row: 0 is dark and 255 light.
    ///
    /// - Parameter scale: The pixels of a module's side.
    /// - Returns: One byte for each pixel.
    func pixels(scale: Int) -> [UInt8] {
        let side = fullWidth * scale
        return (0..<side * side).map { place in
            isDark(row: place / side / scale, column: place % side / scale) ? 0 : 255
        }
    }
}
