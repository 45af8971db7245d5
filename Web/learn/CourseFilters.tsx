import type { Calls } from "../shared/api";
import { FacetGroup } from "../market/FacetGroup";
import { PriceFilter } from "../market/PriceFilter";
import { useWords } from "../shared/words";

interface Props {
  readonly base: string;
  readonly query: URLSearchParams;
  readonly page: Calls["GET /v1/rows"]["answer"];
}

/** How many tags are offered. */
const tagsMax = 24;

/** What narrows the courses. Kind, target group and period are tags, of which a search takes one, exactly as it is written. */
export function CourseFilters({ base, query, page }: Props) {
  const words = useWords();
  const { facets, items } = page;
  const shared = { base, query };
  const counts = new Map<string, number>();
  for (const tag of items.flatMap((row) => row.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const tags = [...counts].sort(([, one], [, other]) => other - one).slice(0, tagsMax)
    .map(([value, count]) => ({ value, shown: value, count: page.isLast && !query.has("after") ? count : null }));
  const deliveries = (facets?.deliveries ?? []).map((one) => ({ ...one, shown: one.name ? words.alone(words.said(one.name)) : one.value }));
  const stars = (facets?.stars ?? []).map((one) => ({ ...one, shown: words.say("page.starsAtLeast", { count: one.value }) }));
  return (
    <div className="stack">
      <FacetGroup {...shared} title={words.say("page.courseTags")} name="tag" values={tags} />
      <FacetGroup {...shared} title={words.say("page.courseWhere")} name="delivery" values={deliveries} />
      {facets != null && <PriceFilter key={query.toString()} base={base} query={query} prices={facets.prices} />}
      <FacetGroup {...shared} title={words.say("page.teachersStars")} name="stars" values={stars} />
      <FacetGroup {...shared} name="over" values={[{ value: "true", shown: words.say("page.withEndedCourses"), count: null }]} />
    </div>
  );
}
