import Client

extension Page {
    /// A line that says how to see the next page; empty on the last page.
    var more: String { next.map { "\nMore: --after \($0)" } ?? "" }
}
