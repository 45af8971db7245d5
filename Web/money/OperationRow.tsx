import type { Operation } from "../shared/api";
import { Row } from "../shared/parts/Row";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { stateLook } from "./operationWords";

/** An operation in a list: what it is, how far it is, since when. */
export function OperationRow({ operation }: { readonly operation: Operation }) {
  const words = useWords();
  const { id, kind, state, createdAt, phases } = operation;
  const now = phases.find((phase) => phase.state === "running");
  return (
    <Row to={`/operations/${id}`} title={words.alone(words.named("operation", kind))}
      end={<span className={`state${stateLook(state)}`}>{words.alone(words.named("operationState", state))}</span>}>
      <span className="soft small">
        <Time at={createdAt} />{now !== undefined && <> · {words.named("step", now.name)}</>}
      </span>
    </Row>
  );
}
