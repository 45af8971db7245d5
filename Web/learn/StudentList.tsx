import { useState } from "react";
import type { Sale } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Person } from "../shared/parts/Person";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** The students of the last round, who are public on the chain, with what they rated; read when somebody opens it. */
export function StudentList({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const enrolled = sale.course?.rounds.at(-1)?.enrolled ?? 0;
  if (enrolled === 0) return null;
  return (
    <details className="note" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.say("page.studentsCount", { count: enrolled })}</summary>
      {isOpen && <Students sale={sale.id} />}
    </details>
  );
}

function Students({ sale }: { readonly sale: string }) {
  const words = useWords();
  const [after, setAfter] = useState<string | undefined>(undefined);
  const found = useCall("GET /v1/sales/{id}/students", { path: { id: sale }, query: { limit: 50, ...(after !== undefined && { after }) } }, ["sale"]);
  return (
    <Shown of={found}>
      {({ items, next }) => (
        <div className="stack close more">
          <p className="soft small">{words.say("page.studentsPublic")}</p>
          <ul className="rows">
            {items.map((one) => (
              <li key={one.account}>
                <div className="row plain">
                  <Person account={one.account} name={one.name} size="mini" />
                  <span className="row-end">
                    {one.points == null
                      ? <span className="state">{words.alone(words.named("seat", one.state))}</span>
                      : <span className="numbers strong">{words.say("page.ratedOf", { average: averageOf(one.points) })}</span>}
                  </span>
                </div>
              </li>
            ))}
          </ul>
          <div className="beside">
            {after !== undefined && <Button isSmall onClick={() => setAfter(undefined)}>{words.say("page.firstPage")}</Button>}
            {next != null && <Button isSmall onClick={() => setAfter(next)}>{words.say("page.nextPage")}</Button>}
          </div>
        </div>
      )}
    </Shown>
  );
}

/** The average of five points, without what is behind the point. */
export function averageOf(points: readonly number[]): number {
  return points.length === 0 ? 0 : Math.floor(points.reduce((sum, one) => sum + one, 0) / points.length);
}
