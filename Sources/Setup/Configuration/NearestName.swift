/// Returns the name among `names` that takes the fewest edits to reach from `word`.
package func nearestName(to word: String, among names: [String]) -> String? {
    names.min { editDistance(word, $0) < editDistance(word, $1) }
}

/// Returns how many insertions, deletions and replacements turn one word into the other.
///
/// Source: V. Levenshtein, "Binary codes capable of correcting deletions, insertions and
/// reversals", 1966.
package func editDistance(_ left: String, _ right: String) -> Int {
    let right = Array(right.lowercased())
    var row = Array(0...right.count)
    for (i, a) in left.lowercased().enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let replaced = diagonal + (a == b ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
