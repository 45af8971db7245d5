package import Client
import Keys
package import Market

extension ListingMedia {
    /// A picture or document as the API writes it.
    package init(_ media: Market.Media) {
        self.init(id: media.id.hex, type: media.form.mediaType, length: media.byteCount)
    }
}
