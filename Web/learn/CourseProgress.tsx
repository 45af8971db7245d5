import type { Sale } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { useWords } from "../shared/words";
import { ComesBack } from "./ComesBack";
import { latestFirst } from "./courseTimes";
import { Criteria } from "./Criteria";
import { Curriculum } from "./Curriculum";
import { RatingLine } from "./RatingLine";
import { RoundEntry } from "./RoundEntry";
import { StudentList } from "./StudentList";

/** What a course's sale has beside others: its rounds, its students, its sessions, and how it was rated. */
export function CourseProgress({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const { course, chain, own } = sale;
  if (course == null) return null;
  const last = course.rounds.at(-1);
  return (
    <>
      <section className="stack close">
        <div className="beside apart">
          <h2>{words.say("page.rounds")}</h2>
          {own === "teacher" && <Link to={`/sales/${sale.id}/attendance`} className="button small">{words.say("page.attendance")}</Link>}
        </div>
        <ul className="rows">{latestFirst(course.rounds).map((one) => <RoundEntry key={one.number} round={one} chain={chain} />)}</ul>
      </section>
      {own !== "teacher" && last?.phase === "open" && (
        <ComesBack terms={last.terms} price={words.money(last.price.amount, last.price.currency, chain, "up")} />
      )}
      <section className="stack close">
        <h2>{words.say("page.evaluations")}</h2>
        <p><RatingLine average={course.average} raters={course.raters} /></p>
        {course.criteria != null && course.raters > 0 && <Criteria of={course.criteria} />}
      </section>
      <StudentList sale={sale} />
      <Curriculum sessions={sale.promised?.curriculum} />
    </>
  );
}
