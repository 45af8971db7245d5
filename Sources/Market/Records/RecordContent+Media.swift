extension RecordContent {
    /// The files that the record names, which anybody may therefore have.
    package var media: [Media] {
        switch self {
        case .listing(let listing): listing.media
        case .profile(let profile): profile.avatar.map { [$0] } ?? []
        case .review(let review): review.media
        case .device, .curation, .withdrawal, .laterListing: []
        }
    }
}
