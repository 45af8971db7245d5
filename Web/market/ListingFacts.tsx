import type { ReactNode } from "react";
import type { Listing } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Person } from "../shared/parts/Person";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";

/** The facts of a listing, as its seller states them. */
export function ListingFacts({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const { content } = listing;
  const places = content.shipsTo.map((place) => nameOfPlace(place, words.language)).join(", ");
  const within = content.shipsWithin;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.say("page.category"), <Link key="c" to={`/categories/${encodeURIComponent(content.category)}`}>{words.named("category", content.category)}</Link>],
    [words.say("page.wayToSell"), words.alone(words.named("payment", content.payment))],
    [words.say("page.delivery"), words.alone(words.named("delivery", content.delivery))],
    [words.say("page.shippedTo"), content.delivery !== "shipping" ? null : within != null
      ? words.say("page.withinOf", { distance: Math.round(within.metres / 1000), place: within.place }) : places || words.alone(words.say("page.everywhere"))],
    [words.say("page.pickupPlace"), content.pickupPlace == null ? null : <bdi key="p">{content.pickupPlace}</bdi>],
    [words.say("page.pieces"), listing.pieces == null ? null : words.say("page.piecesLeft", { free: listing.pieces.free, total: listing.pieces.total })],
    [words.say("page.identifier"), content.identifier === "" ? null
      : <Link key="i" to={`/check?${new URLSearchParams({ identifier: content.identifier })}`}><bdi>{content.identifier}</bdi></Link>],
    [words.say("page.arbiter"), content.terms?.arbiter == null ? null : <Person key="a" account={content.terms.arbiter} />],
    [words.say("page.listedOn"), <Time key="t" at={listing.createdAt} as="day" />],
    [words.say("page.tags"), content.tags.length === 0 ? null : (
      <ul key="g" className="choices">{content.tags.map((tag) => <li key={tag}><Link className="pill" to={`/search?${new URLSearchParams({ tag })}`}><bdi>{tag}</bdi></Link></li>)}</ul>
    )],
  ];
  return (
    <section className="stack">
      <h2>{words.say("page.details")}</h2>
      <dl className="facts">
        {facts.filter(([, value]) => value !== null).map(([name, value]) => <div key={name} className="fact"><dt>{name}</dt><dd>{value}</dd></div>)}
      </dl>
    </section>
  );
}

/** A country's name in the reader's language; another place as it is. */
function nameOfPlace(place: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(place)) return place;
  return new Intl.DisplayNames([language], { type: "region" }).of(place) ?? place;
}
