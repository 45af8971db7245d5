import CLMDB

/// The location of a table: LMDB's handle of its tree, and the first byte of its keys there.
struct TablePlace {
    let tree: MDB_dbi
    /// At most one byte; none if the tree is the table's own.
    let prefix: [UInt8]
}

/// The positions of the opened tables, by table.
final class TableHandles: Sendable {
    private let places: [ObjectIdentifier: TablePlace]

    init(_ places: [ObjectIdentifier: TablePlace]) {
        self.places = places
    }

    /// Returns the handle of a table; a table outside the schema is a programmer's error.
    func place(of table: (some Table).Type) -> TablePlace {
        guard let place = places[ObjectIdentifier(table)] else {
            preconditionFailure("table \(table.name) is not in the schema")
        }
        return place
    }
}
