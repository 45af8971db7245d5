import type { Listing } from "../shared/api";
import { Facts } from "../shared/parts/Facts";
import { nameOfPlace } from "../shared/countries";
import { Link } from "../shared/parts/Link";
import { Person } from "../shared/parts/Person";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { Tags } from "./Tags";

/** The facts of a listing, as its seller states them. */
export function ListingFacts({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const { content } = listing;
  const places = content.shipsTo.map((place) => nameOfPlace(place, words.language)).join(", ");
  const within = content.shipsWithin;
  const delivered = within != null
    ? words.say("page.withinOf", { distance: Math.round(within.metres / 1000), place: within.place })
    : places || words.alone(words.say("page.everywhere"));
  const category = `/categories/${encodeURIComponent(content.category)}`;
  const identifier = `/check?${new URLSearchParams({ identifier: content.identifier })}`;
  return (
    <section className="stack">
      <h2>{words.say("page.details")}</h2>
      <Facts of={[
        [words.say("page.category"), <Link key="category" to={category}>{words.named("category", content.category)}</Link>],
        [words.say("page.wayToSell"), words.alone(words.named("payment", content.payment))],
        [words.say("page.delivery"), words.alone(words.named("delivery", content.delivery))],
        [words.say("page.shippedTo"), content.delivery === "shipping" ? delivered : null],
        [words.say(content.type === "course" ? "page.coursePlace" : "page.pickupPlace"), content.pickupPlace == null ? null : <bdi key="place">{content.pickupPlace}</bdi>],
        [words.say("page.pieces"), listing.pieces == null ? null : words.say("page.piecesLeft", { ...listing.pieces })],
        [words.say("page.identifier"), content.identifier === "" || content.type === "course" ? null
          : <Link key="identifier" to={identifier}><bdi>{content.identifier}</bdi></Link>],
        [words.say("page.arbiter"), content.terms?.arbiter == null ? null : <Person key="arbiter" account={content.terms.arbiter} />],
        [words.say("page.listedOn"), <Time key="since" at={listing.createdAt} as="day" />],
        [words.say("page.tags"), content.tags.length === 0 ? null : <Tags key="tags" tags={content.tags} />],
      ]} />
    </section>
  );
}
