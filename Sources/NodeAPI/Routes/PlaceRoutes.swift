import Client
import Hummingbird
import Trade

/// Adds the handler of the search for towns.
func addPlaceRoutes(to group: RouterGroup<APIContext>) {
    let searcher = PlaceSearcher()
    group.on(API.listings.places) { request in
        try searcher.places(
            named: try request[Query.town],
            near: try request[Query.townNear].map(GeographicPoint.entered),
            in: try request[Query.language],
            limit: try request[Query.limit]
        )
    }
}
