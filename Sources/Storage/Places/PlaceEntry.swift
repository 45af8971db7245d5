/// A town of the table, from GeoNames.
package struct PlaceEntry: Hashable, Sendable {
    /// A name in English, or in a local language that has no English one, and in Korean.
    package struct Name: Hashable, Sendable {
        package let english: String
        /// `nil` if GeoNames has none.
        package let korean: String?

        package init(english: String, korean: String?) {
            (self.english, self.korean) = (english, korean)
        }
    }

    package let name: Name
    /// The state or province; `nil` outside of the countries whose regions the table has.
    package let region: Name?
    /// The ISO 3166 code.
    package let country: String
    package let countryName: Name
    /// In degrees, north positive.
    package let latitude: Double
    /// In degrees, east positive.
    package let longitude: Double
    /// In tens, as the table has it.
    package let population: Int
}
