import { useEffect } from "react";
import type { Operation } from "../shared/api";
import { call } from "../shared/call";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Row } from "../shared/parts/Row";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { movedBy, stateLook } from "../money/operationWords";
import type { RunLine } from "./agreedPurchases";
import { problemsForPeople } from "../shared/sentences";

const moved = { nothing: "page.nothingMoved", fee: "page.onlyFeeMoved", all: "page.allMoved" } as const;

interface Props {
  readonly line: RunLine;
  readonly onChange: (line: RunLine) => void;
}

/** What has become of one purchase of a checkout; if it failed, whether money moved. */
export function CheckoutResult({ line, onChange }: Props) {
  const words = useWords();
  const { operation: id, problem, listing, title, isOut } = line;
  const found = useCall("GET /v1/operations/{id}", id === undefined ? null : { path: { id } }, ["operation", "sale"]);
  const operation = found.answer;
  const isDone = operation?.state === "done";
  useEffect(() => {
    if (!isDone || isOut === true) return;
    // What is bought does no harm in the cart: it cannot be bought again.
    call("DELETE /v1/cart/{id}", { path: { id: listing } }).then(() => onChange({ ...line, isOut: true }), () => undefined);
    // eslint-disable-next-line react/exhaustive-deps, react-hooks/exhaustive-deps -- once, when it is done
  }, [isDone, isOut]);
  const faults = problem !== undefined ? [problem] : operation?.problem != null ? [operation.problem] : [];
  const isFailed = problem !== undefined || operation?.state === "failed";
  return (
    <Row title={<bdi>{title}</bdi>} picture={line.picture}
      end={
        <>
          {line.total.map((one) => <span key={one.currency} className="strong"><Money {...one} chain={line.chain} rounding="up" /></span>)}
          {isDone && operation.subject != null && <Link to={`/sales/${operation.subject}`}>{words.say("page.toSale")}<span className="unseen"> {title}</span></Link>}
          {operation !== null && !isDone && <Link to={`/operations/${operation.id}`}>{words.say("page.details")}<span className="unseen"> {title}</span></Link>}
        </>
      }>
      <span className="note" role="status"><Stage operation={operation} isFailed={isFailed} /></span>
      {problemsForPeople(faults).map((one) => <span key={one.detail} className="note fault-text">{words.problem(one)}</span>)}
      {isFailed && (
        <span className="note">
          {words.say(operation === null ? "page.nothingMoved" : moved[movedBy(operation)])} {words.say("page.staysInCart")}
        </span>
      )}
    </Row>
  );
}

/** How far it is, in a word. */
function Stage({ operation, isFailed }: { readonly operation: Operation | null; readonly isFailed: boolean }) {
  const words = useWords();
  if (operation === null) {
    return <span className={`state${isFailed ? " fault" : ""}`}>{words.say(isFailed ? "page.notBought" : "page.waiting")}</span>;
  }
  const now = operation.phases.find((phase) => phase.state === "running");
  const look = operation.state === "done" ? " good" : stateLook(operation.state);
  const name = operation.state === "done" ? words.say("page.isBought") : operation.state === "failed" ? words.say("page.notBought")
    : words.alone(words.named("operationState", operation.state));
  return (
    <>
      <span className={`state${look}`}>{name}</span>
      {operation.state === "running" && now !== undefined && <span className="soft"> {words.alone(words.named("step", now.name))}</span>}
    </>
  );
}
