import Keys

extension StringProtocol {
    /// The maximum number of characters of a stranger's text that a message repeats.
    private static var shownMax: Int { 90 }

    /// The text as a message repeats it.
    ///
    /// In quotation marks, short, on one line, and without characters that affect the screen.
    package var quoted: String { "'\(UntrustedText.line(self, charactersMax: Self.shownMax))'" }
}

extension Unicode.Scalar {
    /// Whether the character changes how others are shown, or is invisible.
    package var isUnsafeToShow: Bool { UntrustedText.isUnsafe(self) }
}
