import { useState } from "react";
import type { Sale } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";
import { OwnCourseRow } from "./OwnCourseRow";

/** The courses that the account takes, or those that it gives. */
export default function MyCoursesScreen({ query }: ScreenProps) {
  const words = useWords();
  const isTeaching = query.get("list") === "teaching";
  const lists = [["/courses/mine", "page.coursesTaken"], ["/courses/mine?list=teaching", "page.coursesGiven"]] as const;
  return (
    <div className="stack measure">
      <Title text={words.say("page.myCourses")}><Link to="/courses">{words.say("page.allCourses")}</Link></Title>
      <nav className="choices" aria-label={words.say("page.lists")}>
        {lists.map(([to, code], index) => (
          <Link key={to} to={to} className="pill" aria-current={isTeaching === (index === 1) ? "true" : undefined}>{words.say(code)}</Link>
        ))}
      </nav>
      <Courses key={String(isTeaching)} isTeaching={isTeaching} />
    </div>
  );
}

function Courses({ isTeaching }: { readonly isTeaching: boolean }) {
  const words = useWords();
  const [after, setAfter] = useState<string | undefined>(undefined);
  // The node lists all sales: courses are picked from each page.
  const found = useLastAnswer(useCall("GET /v1/sales", { query: { limit: 50, ...(after !== undefined && { after }) } }, ["sale", "operation"]));
  const isOwn = ({ kind, own }: Sale): boolean => kind === "enrolment" && (own === "teacher") === isTeaching && own != null;
  return (
    <Shown of={found}>
      {(page) => {
        const own = page.items.filter(isOwn);
        return (
          <>
            {own.length === 0
              ? (
                <Empty icon="course" title={words.say(isTeaching ? "page.noCoursesGiven" : "page.noCoursesTaken")}>
                  <Link to={isTeaching ? "/sell" : "/courses"} className="button">{words.say(isTeaching ? "page.sell" : "page.allCourses")}</Link>
                </Empty>
              )
              : <ul className="rows">{own.map((sale) => <OwnCourseRow key={sale.id} sale={sale} />)}</ul>}
            <nav className="beside" aria-label={words.say("page.pages")}>
              {after !== undefined && <Button isSmall onClick={() => setAfter(undefined)}>{words.say("page.newerOnes")}</Button>}
              {page.next != null && <Button isSmall onClick={() => setAfter(page.next ?? undefined)}>{words.say("page.olderOnes")}</Button>}
            </nav>
          </>
        );
      }}
    </Shown>
  );
}
