import type { Listing } from "../shared/api";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ComesBack } from "./ComesBack";
import { latestFirst, timesOf } from "./courseTimes";
import { Criteria } from "./Criteria";
import { Curriculum } from "./Curriculum";
import { RatingLine } from "./RatingLine";
import { RoundEntry } from "./RoundEntry";
import { TeachersCourses } from "./TeachersCourses";

/** What only a course has: its rounds, its sessions, when money comes back, and how students rated it. */
export function CourseAbout({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const hasAccount = useStore(session) !== null;
  const { content, anchor } = listing;
  const sale = useCall("GET /v1/sales/{id}", hasAccount && anchor != null ? { path: { id: anchor.sale } } : null, ["sale", "operation"]);
  const rounds = sale.answer?.course?.rounds ?? [];
  const last = rounds.at(-1);
  // Without an account the terms are those of the listing, which are the first round's: a later one starts at another time.
  const first = content.course;
  const isFirst = first != null && listing.endsAt != null && new Date(listing.endsAt).getTime() === first.startsAt * 1_000;
  const terms = last?.terms ?? (isFirst ? first : null);
  const price = last?.price ?? listing.price ?? content.price;
  return (
    <>
      <Curriculum sessions={content.curriculum} />
      {hasAccount && anchor != null && (
        <Shown of={sale}>
          {() => (
            <section className="stack close">
              <h2>{words.say("page.rounds")}</h2>
              <ul className="rows">{latestFirst(rounds).map((one) => <RoundEntry key={one.number} round={one} chain={anchor.chain} />)}</ul>
            </section>
          )}
        </Shown>
      )}
      {!hasAccount && terms !== null && (
        <section className="stack close">
          <h2>{words.say("page.rounds")}</h2>
          <p><Time at={timesOf(terms).start} /> – <Time at={timesOf(terms).end} /></p>
        </section>
      )}
      {listing.state === "open" && terms !== null && (
        <ComesBack terms={terms} price={words.money(price.amount, price.currency, anchor?.chain ?? content.chain ?? undefined, "up")} />
      )}
      <section className="stack close">
        <h2>{words.say("page.evaluations")}</h2>
        <p><RatingLine average={listing.average} raters={listing.raters ?? 0} /></p>
        {sale.answer?.course?.criteria != null && <Criteria of={sale.answer.course.criteria} />}
      </section>
      <TeachersCourses teacher={listing.author} without={listing.id} />
    </>
  );
}
