import type { ListingFacets } from "../shared/api";
import { useWords } from "../shared/words";
import { FacetGroup } from "./FacetGroup";
import { NearFilter } from "./NearFilter";
import { PriceFilter } from "./PriceFilter";

interface Props {
  readonly base: string;
  readonly query: URLSearchParams;
  readonly facets: ListingFacets;
  readonly hasCategory: boolean;
}

/** The choices that narrow a search, with how many listings each would leave. */
export function Facets({ base, query, facets, hasCategory }: Props) {
  const words = useWords();
  const stars = facets.stars.map((one) => ({ ...one, shown: words.say("page.starsAtLeast", { count: one.value }) }));
  const more = [
    { name: "toMe" as const, value: "true", shown: words.say("page.reachesMe"), count: facets.reachesMe ?? 0 },
    { name: "over" as const, value: "true", shown: words.say("page.withEnded"), count: null },
  ].filter((one) => one.name !== "toMe" || facets.reachesMe != null);
  const shared = { base, query };
  const named = (counts: ListingFacets["categories"]) =>
    counts.map((one) => ({ ...one, shown: one.name ? words.alone(words.said(one.name)) : one.value }));
  return (
    <div className="stack">
      {!hasCategory && (
        <FacetGroup {...shared} title={words.say("page.category")} name="category" values={named(facets.categories)} />
      )}
      <FacetGroup {...shared} title={words.say("page.wayToSell")} name="payment" values={named(facets.payments)} />
      <FacetGroup {...shared} title={words.say("page.delivery")} name="delivery" values={named(facets.deliveries)} />
      <NearFilter key={`near ${query.toString()}`} base={base} query={query} />
      <PriceFilter key={query.toString()} base={base} query={query} prices={facets.prices} />
      <FacetGroup {...shared} title={words.say("page.sellersStars")} name="stars" values={stars} />
      {more.map((one) => (
        <FacetGroup key={one.name} {...shared} name={one.name} values={[one]} />
      ))}
    </div>
  );
}
