/// One tree of pages in the file, with the tables in it.
///
/// A commit rewrites every page from the root of a tree to each entry it touches, in each tree that
/// it touches. So tables that are written together share a tree; a key there begins with a byte
/// that names its table. A large table whose number of entries is needed has its own tree, because
/// that count is kept by tree.
package struct Tree: Sendable {
    /// LMDB's name for it.
    let name: String
    let tables: [any Table.Type]
    /// Whether keys begin with the position of their table in `tables`.
    let isShared: Bool

    /// The tree of one table, by that table's name.
    package static func own(_ table: any Table.Type) -> Tree {
        Tree(name: table.name, tables: [table], isShared: false)
    }

    /// A tree that tables share; their order is part of its form.
    package static func shared(_ name: String, _ tables: [any Table.Type]) -> Tree {
        precondition(tables.count <= Int(UInt8.max), "a byte names a table of tree \(name)")
        return Tree(name: name, tables: tables, isShared: true)
    }
}
