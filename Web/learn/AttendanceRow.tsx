import { useState } from "react";
import type { Attendance, AttendanceMarks } from "../shared/api";
import { short } from "../shared/addresses";
import { Button } from "../shared/parts/Button";
import { Person } from "../shared/parts/Person";
import { useWords } from "../shared/words";
import { NoteDialog } from "./NoteDialog";

interface Props {
  readonly entry: Attendance;
  readonly session: number;
  readonly sessions: number;
  readonly onMark: (marks: AttendanceMarks) => Promise<void>;
}

/** A student or an applicant in the teacher's list. */
export function AttendanceRow({ entry, session, sessions, onMark }: Props) {
  const words = useWords();
  const [isNoting, setNoting] = useState(false);
  // The tick changes at once, and is right again when the list is read.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const { account, name, note, sessions: attended, enrolledAt } = entry;
  const isStudent = enrolledAt != null;
  const isPresent = wanted ?? attended.includes(session);

  async function tick(present: boolean): Promise<void> {
    setWanted(present);
    await onMark({ session, [present ? "present" : "absent"]: [account] });
    setWanted(null);
  }

  return (
    <li>
      <div className="row plain">
        <div className="row-main">
          <span className="beside">
            {isStudent && (
              <span className="check">
                <input type="checkbox" checked={isPresent} aria-label={words.say("page.presentName", { name: name ?? short(account) })}
                  onChange={(event) => void tick(event.target.checked)} />
              </span>
            )}
            <Person account={account} name={name} size="mini" />
          </span>
          <span className="soft small">
            {isStudent ? words.say("page.attendedOf", { count: attended.length, total: sessions }) : words.say("page.applicant")}
            {entry.state != null && ` · ${words.named("seat", entry.state)}`}
          </span>
          {note != null && note !== "" && <p className="lines said note"><bdi>{note}</bdi></p>}
        </div>
        <div className="row-end">
          <Button isSmall look="bare" onClick={() => setNoting(true)}>
            {words.say("page.writeNote")}<span className="unseen"> {name ?? account}</span>
          </Button>
        </div>
      </div>
      {isNoting && (
        <NoteDialog entry={entry} onClose={() => setNoting(false)} onSave={async (text) => {
          await onMark({ notes: [{ account, text }] });
          setNoting(false);
        }} />
      )}
    </li>
  );
}
