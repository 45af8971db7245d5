import Keys

extension StringProtocol {
    /// The most characters of a stranger's text that a message repeats.
    private static var shownMax: Int { 90 }

    /// The text as a message repeats it: between quotation marks, short, on one line, and without
    /// characters that do something to the screen they are shown on.
    package var quoted: String { "'\(UntrustedText.line(self, charactersMax: Self.shownMax))'" }
}

extension Unicode.Scalar {
    /// Whether the character changes how others are shown, or is not seen itself.
    package var isUnsafeToShow: Bool { UntrustedText.isUnsafe(self) }
}
