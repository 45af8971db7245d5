/// One member of a struct type: its name and the text of its type, as in `encodeType`.
package struct TypedField: Hashable, Sendable {
    package let name: String
    package let type: String

    package init(_ name: String, _ type: String) {
        (self.name, self.type) = (name, type)
    }
}
