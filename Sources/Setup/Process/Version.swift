/// The release of Stoa that this program is.
package enum Version {
    package static let text = "0.2.0"
}
