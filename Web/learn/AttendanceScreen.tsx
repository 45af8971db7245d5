import { useState } from "react";
import type { Sale } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { titleOf } from "../trade/SaleHead";
import { ApplicantDialog } from "./ApplicantDialog";
import { AttendanceList } from "./AttendanceList";
import { roundName } from "./courseTimes";

/** How many sessions a course has whose curriculum names none. */
const sessionsMin = 10;

/** The teacher's own list of a round: who was present in which session, and notes. */
export default function AttendanceScreen({ values, query }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  const sale = useCall("GET /v1/sales/{id}", { path: { id } }, ["sale"]);
  return (
    <div className="stack measure">
      <Title text={words.say("page.attendance")} />
      <Shown of={sale}>
        {(found) => (found.course == null
          ? <Empty icon="course" title={words.say("page.noCourse")}><Link to="/courses/mine" className="button">{words.say("page.myCourses")}</Link></Empty>
          : <Rounds sale={found} query={query} />)}
      </Shown>
    </div>
  );
}

function Rounds({ sale, query }: { readonly sale: Sale; readonly query: URLSearchParams }) {
  const words = useWords();
  const [isAdding, setAdding] = useState(false);
  // Nothing tells that the list has changed, so it is read again after each addition.
  const [added, setAdded] = useState(0);
  const rounds = sale.course?.rounds ?? [];
  const asked = Number(query.get("round") ?? "-1");
  const round = rounds.find((one) => query.has("round") && one.number === asked) ?? rounds.at(-1);
  const curriculum = sale.promised?.curriculum ?? [];
  const count = Math.max(curriculum.length, curriculum.length === 0 ? sessionsMin : 0);
  const wanted = Number(query.get("session") ?? "1");
  const session = Number.isInteger(wanted) && wanted >= 1 && wanted <= count ? wanted : 1;
  if (round === undefined) return null;
  const to = (of: number, at: number): string => `/sales/${sale.id}/attendance?${new URLSearchParams({ round: String(of), session: String(at) })}`;
  return (
    <>
      <p className="beside apart">
        <Link to={`/sales/${sale.id}`}><bdi>{titleOf(sale, words)}</bdi></Link>
        <Button isSmall onClick={() => setAdding(true)}>{words.say("page.addApplicant")}</Button>
      </p>
      <p className="soft note">{words.say("page.attendanceWhy")}</p>
      {rounds.length > 1 && (
        <nav className="choices" aria-label={words.say("page.rounds")}>
          {rounds.map((one) => (
            <Link key={one.number} to={to(one.number, session)} className="pill" aria-current={one.number === round.number ? "true" : undefined}>
              {words.alone(words.said(roundName(one)))}
            </Link>
          ))}
        </nav>
      )}
      <div className="field">
        <label htmlFor="session">{words.say("page.session")}</label>
        <select id="session" className="control" value={session} onChange={(event) => go(to(round.number, Number(event.target.value)), "replace")}>
          {Array.from({ length: count }, (_, index) => (
            <option key={index} value={index + 1}>
              {curriculum[index] === undefined ? words.say("page.sessionNumber", { number: index + 1 })
                : words.say("page.sessionOf", { number: index + 1, title: curriculum[index]?.title ?? "" })}
            </option>
          ))}
        </select>
      </div>
      <AttendanceList key={`${round.number} ${session} ${added}`} sale={sale.id} round={round.number} session={session} sessions={count} />
      {isAdding && <ApplicantDialog sale={sale.id} round={round.number} onClose={() => setAdding(false)} onAdded={() => {
        setAdding(false);
        setAdded(added + 1);
      }} />}
    </>
  );
}
