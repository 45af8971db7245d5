import Client

extension Page {
    /// A last line that says how to go on; empty at the end.
    var more: String { next.map { "\nMore: --after \($0)" } ?? "" }
}
