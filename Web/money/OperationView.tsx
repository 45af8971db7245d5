import type { Operation } from "../shared/api";
import { firstAnswer } from "../shared/intents";
import { Link } from "../shared/parts/Link";
import { Meter } from "../shared/parts/Meter";
import { Money } from "../shared/parts/Money";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { Title } from "../shared/parts/Title";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { OperationResult } from "./OperationResult";
import { stateLook, stepsOf } from "./operationWords";
import { ReplaceButtons } from "./ReplaceButtons";

/** An operation that the node knows. */
export function OperationView({ id }: { readonly id: string }) {
  const words = useWords();
  const reading = useCall("GET /v1/operations/{id}", { path: { id } }, ["operation", "sale"]);
  const answer = reading.answer ?? firstAnswer(id) ?? null;
  return (
    <div className="stack measure">
      <Title text={answer === null ? words.say("page.operation") : words.alone(words.named("operation", answer.kind))} />
      <Shown of={{ ...reading, answer }}>{(operation) => <OperationBody operation={operation} again={reading.again} />}</Shown>
      <p><Link to="/operations">{words.say("page.allOperations")}</Link></p>
    </div>
  );
}

function OperationBody({ operation, again }: { readonly operation: Operation; readonly again: () => void }) {
  const words = useWords();
  const { state, phases, createdAt, endedAt, feeMax, chain, id } = operation;
  const notes = phases.flatMap(({ name, state: of, notes: said }) => (
    of === "running" || of === "failed" ? (said ?? []).map((note) => `${words.alone(words.named("step", name))}: ${words.said(note)}`) : []
  ));
  return (
    <>
      <p><span className={`state${stateLook(state)}`}>{words.alone(words.named("operationState", state))}</span></p>
      <Meter name={words.say("page.progress")} steps={stepsOf(words, operation)} />
      {/* Said to screen readers whenever it changes. */}
      <div role="status" className="stack close soft note">{notes.map((note) => <p key={note}>{note}</p>)}</div>
      <OperationResult operation={operation} />
      <ReplaceButtons operation={operation} again={again} />
      <dl className="facts">
        <div className="fact"><dt>{words.say("page.began")}</dt><dd><Time at={createdAt} /></dd></div>
        {endedAt != null && <div className="fact"><dt>{words.say("page.ended")}</dt><dd><Time at={endedAt} /></dd></div>}
        {feeMax != null && (
          <div className="fact"><dt>{words.say("page.feeAtMost")}</dt><dd><Money amount={feeMax} currency="native" chain={chain ?? undefined} rounding="up" /></dd></div>
        )}
        <div className="fact"><dt>{words.say("page.number")}</dt><dd className="address">{id}</dd></div>
      </dl>
    </>
  );
}
