/// One tree of pages in the file, with the tables that lie in it.
///
/// A commit rewrites every page from the root of a tree to each place it touches, in each tree
/// that it touches. So tables that are written together share a tree; a key there begins with a
/// byte that says whose it is. A table of which one asks how many entries it has, and which has
/// many, has a tree of its own, for that count is kept by tree.
package struct Tree: Sendable {
    /// LMDB's name for it.
    let name: String
    let tables: [any Table.Type]
    /// Whether keys begin with the place of their table in `tables`.
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
