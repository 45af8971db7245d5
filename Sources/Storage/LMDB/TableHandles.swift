import CLMDB

/// LMDB's handles of the tables that were opened, by table.
final class TableHandles: Sendable {
    private let handles: [ObjectIdentifier: MDB_dbi]

    init(_ handles: [ObjectIdentifier: MDB_dbi]) {
        self.handles = handles
    }

    /// A table that is not in the schema is a programmer's mistake, not the world's.
    func handle(of table: (some Table).Type) -> MDB_dbi {
        guard let handle = handles[ObjectIdentifier(table)] else {
            preconditionFailure("table \(table.name) is not in the schema")
        }
        return handle
    }
}
