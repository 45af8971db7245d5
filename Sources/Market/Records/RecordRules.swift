/// The rules by which records are judged from their bytes alone: sections 4.1 to 4.3 and 5 of
/// Docs/protocol.md.
package enum RecordRules {
    /// Raised whenever one of them becomes stricter, so that nodes look anew at what they stored.
    ///
    /// 3: texts show something, and names have no character that is not seen (5.1).
    package static let version: UInt64 = 3
}
