extension Schema {
    /// What this program writes.
    package static let current = Schema(number: 1, oldest: 1, tables: [Changes.self])
}
