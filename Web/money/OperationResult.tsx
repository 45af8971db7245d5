import type { Operation } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { useWords } from "../shared/words";
import { movedBy, subjectPath } from "./operationWords";

const moved = { nothing: "page.nothingMoved", fee: "page.onlyFeeMoved", all: "page.allMoved" } as const;

/** How an operation ended, whether money moved, and where to go on; what it waits for otherwise. */
export function OperationResult({ operation }: { readonly operation: Operation }) {
  const words = useWords();
  const path = subjectPath(operation);
  const { state, problem, kind } = operation;
  if (state === "running") return <p className="soft note">{words.say("page.canLeave")}</p>;
  if (state === "needs_unlock") return <Notice kind="warn"><p>{words.say("page.waitsForUnlock")}</p></Notice>;
  if (state === "needs_signature") {
    return (
      <Notice kind="warn">
        <p>{words.say("page.waitsForSignature")}</p>
        <p><Link to={`/signatures/${operation.id}`}>{words.say("page.signatureTitle")}</Link></p>
      </Notice>
    );
  }
  const isSale = path?.startsWith("/sales/") === true;
  const onward = kind === "collect" || kind === "send"
    ? <Link to="/wallet">{words.say("page.wallet")}</Link>
    : path !== null && <Link to={path}>{words.say(isSale ? "page.toSale" : "page.toListing")}</Link>;
  return (
    <Notice kind={state === "done" ? "good" : "fault"} isNews>
      <p>{state === "done" ? words.say("page.operationDone") : problem == null ? words.say("page.operationFailed") : words.problem(problem)}</p>
      {state === "failed" && <p>{words.say(moved[movedBy(operation)])}</p>}
      {onward !== false && <p>{onward}</p>}
    </Notice>
  );
}
