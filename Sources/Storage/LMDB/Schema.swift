/// The tables of a store, and the version number of their form.
package struct Schema: Sendable {
    /// The version, raised whenever the form of a table changes.
    package let number: UInt64
    /// The oldest version that can still be read.
    package let oldest: UInt64
    package let trees: [Tree]

    package init(number: UInt64, oldest: UInt64, trees: [Tree]) {
        precondition(oldest <= number && number > 0, "schema \(number) reads back to \(oldest)")
        self.number = number
        self.oldest = oldest
        self.trees = trees
    }

    /// Every table, whatever tree it is in.
    package var tables: [any Table.Type] { trees.flatMap(\.tables) }

    /// Writes the number into a new store, and refuses one whose number is out of range.
    func accept(in transaction: inout WriteTransaction) throws(StorageError) {
        guard let found = try transaction.get(SchemaNumbers.self, 0) else {
            return try transaction.put(SchemaNumbers.self, 0, number)
        }
        if found > number { throw .schemaTooNew(found: found, known: number) }
        if found < oldest { throw .schemaTooOld(found: found, oldest: oldest) }
        if found < number { try transaction.put(SchemaNumbers.self, 0, number) }
    }
}

/// The store's schema number, under key 0.
enum SchemaNumbers: Table {
    typealias Key = UInt8
    typealias Value = UInt64
    static let name = "schema"
}
