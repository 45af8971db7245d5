import { useState } from "react";
import type { AttendanceMarks } from "../shared/api";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Fault } from "../shared/parts/Fault";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";
import { AttendanceRow } from "./AttendanceRow";

interface Props {
  readonly sale: string;
  readonly round: number;
  readonly session: number;
  /** How many sessions the course has. */
  readonly sessions: number;
}

/** Who was present in a session: each tick is kept at once. */
export function AttendanceList({ sale, round, session, sessions }: Props) {
  const words = useWords();
  const [after, setAfter] = useState<string | undefined>(undefined);
  const [error, setError] = useState<CallError | null>(null);
  const [isSaved, setSaved] = useState(false);
  const query = { round, limit: 50, ...(after !== undefined && { after }) };
  const found = useLastAnswer(useCall("GET /v1/sales/{id}/attendance", { path: { id: sale }, query }, ["sale"]));

  async function mark(marks: AttendanceMarks): Promise<void> {
    setError(null);
    setSaved(false);
    try {
      await call("PUT /v1/sales/{id}/attendance", { path: { id: sale }, body: { round, ...marks } });
      setSaved(true);
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    }
    found.again();
  }

  return (
    <Shown of={found}>
      {({ items, next }) => {
        const students = items.filter((one) => one.enrolledAt != null);
        if (items.length === 0 && after === undefined) return <Empty icon="person" title={words.say("page.noStudents")} />;
        const present = students.filter((one) => one.sessions.includes(session)).length;
        return (
          <>
            <div className="beside apart">
              <p className="numbers" role="status">
                {words.say("page.presentOf", { count: present, total: students.length })}
                {isSaved && <span className="soft"> · {words.say("page.saved")}</span>}
              </p>
              {present < students.length && (
                <Button isSmall onClick={() => void mark({ session, present: students.map((one) => one.account) })}>{words.say("page.allPresent")}</Button>
              )}
            </div>
            {error !== null && <Fault error={error} />}
            <ul className="rows">
              {items.map((one) => (
                <AttendanceRow key={one.account} entry={one} session={session} sessions={sessions} onMark={mark} />
              ))}
            </ul>
            <nav className="beside" aria-label={words.say("page.pages")}>
              {after !== undefined && <Button isSmall onClick={() => setAfter(undefined)}>{words.say("page.firstPage")}</Button>}
              {next != null && <Button isSmall onClick={() => setAfter(next)}>{words.say("page.nextPage")}</Button>}
            </nav>
          </>
        );
      }}
    </Shown>
  );
}
