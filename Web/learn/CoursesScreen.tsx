import { useState } from "react";
import { Button } from "../shared/parts/Button";
import { Dialog } from "../shared/parts/Dialog";
import { Icon } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";
import { Filters } from "../market/Filters";
import { NothingFound } from "../market/NothingFound";
import { Pager } from "../market/Pager";
import { SortField } from "../market/SortField";
import { termsOf } from "../market/searchTerms";
import { CourseFilters } from "./CourseFilters";
import { CourseRow } from "./CourseRow";

const base = "/courses";
const pageSize = 30;

/** The courses on offer, and what narrows them. */
export default function CoursesScreen({ query }: ScreenProps) {
  const words = useWords();
  const hasAccount = useStore(session) !== null;
  const [asksFilters, setAsksFilters] = useState(false);
  const terms = { ...termsOf(query), payment: "enrolment" as const };
  const found = useLastAnswer(useCall("GET /v1/rows", { query: { ...terms, limit: pageSize, count: true, facets: true } },
    ["listing", "listing_withdrawn", "sale"]));
  return (
    <div className="stack">
      <Title text={words.say("page.courses")}>{hasAccount && <Link to="/courses/mine">{words.say("page.myCourses")}</Link>}</Title>
      <Shown of={found}>
        {(page) => (
          <div className="results" aria-busy={found.isReading}>
            <aside className="results-side" aria-label={words.say("page.filters")}><CourseFilters base={base} query={query} page={page} /></aside>
            <div className="stack">
              <div className="beside apart">
                <p className="soft numbers" role="status">{words.say("page.coursesFound", { count: page.total ?? page.items.length })}</p>
                <div className="beside">
                  <Button isSmall className="narrow-only" onClick={() => setAsksFilters(true)}><Icon name="filter" />{words.say("page.filters")}</Button>
                  <SortField base={base} query={query} currency={page.facets?.prices[0]?.currency} />
                </div>
              </div>
              <Filters base={base} query={query} />
              {page.items.length === 0
                ? <NothingFound base={base} query={query} />
                : <ul className="rows courses">{page.items.map((row) => <CourseRow key={row.id} row={row} />)}</ul>}
              <Pager base={base} query={query} next={page.next} />
            </div>
            {asksFilters && (
              <Dialog title={words.say("page.filters")} onClose={() => setAsksFilters(false)}>
                <CourseFilters base={base} query={query} page={page} />
                <Button look="main" onClick={() => setAsksFilters(false)}>{words.say("page.close")}</Button>
              </Dialog>
            )}
          </div>
        )}
      </Shown>
    </div>
  );
}
