/// The rules that validate a record by its bytes alone.
///
/// Source: Docs/protocol.md, sections 4.1 to 4.3 and 5.
package enum RecordRules {
    /// Increased whenever a rule becomes stricter or a way to sell becomes known (4.15), so that
    /// nodes check their stored records again.
    ///
    /// 4: the windows to ship and to confirm have at least 2 days (5.4).
    package static let version: UInt64 = 4
}
