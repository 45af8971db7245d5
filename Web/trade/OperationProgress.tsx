import { useEffect, useRef, type ReactNode } from "react";
import type { Operation } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Meter, type MeterStep } from "../shared/parts/Meter";
import { Notice } from "../shared/parts/Notice";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

interface Props {
  readonly id: string;
  /** What was begun, such as 'Your purchase'. */
  readonly title: string;
  /** Whether the person has just begun it on this screen, so that it takes the focus. */
  readonly isNew?: boolean;
  /** Below it, such as where to go once it is done. */
  readonly children?: (operation: Operation) => ReactNode;
}

/** How far something has come that the account has begun, until its end. */
export function OperationProgress({ id, title, isNew = false, children }: Props) {
  const words = useWords();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNew) section.current?.focus();
  }, [id, isNew]);
  const found = useCall("GET /v1/operations/{id}", { path: { id } }, (event) => event.type === "operation" || event.subject === id);
  return (
    <section ref={section} tabIndex={-1} className="stack progress-of" aria-label={title}>
      <Shown of={found}>
        {(operation) => (
          <>
            <div role="status" className="stack close">
              <h2>{operation.state === "done" ? words.say("page.isDone") : operation.state === "failed" ? words.say("page.hasFailed") : title}</h2>
              {operation.state === "running" && <p className="soft">{words.say("page.mayLeave")}</p>}
            </div>
            <Meter name={title} steps={operation.phases.map((phase) => stepOf(phase, words.alone(words.named("step", phase.name))))} />
            <Waiting operation={operation} />
            {operation.state === "failed" && (
              <Notice kind="fault" isNews>
                {operation.problem && <p>{words.problem(operation.problem)}</p>}
                <p>{words.say(movedOf(operation))}</p>
              </Notice>
            )}
            {children?.(operation)}
          </>
        )}
      </Shown>
    </section>
  );
}

/** Why it waits, and what the person can do. */
function Waiting({ operation }: { readonly operation: Operation }) {
  const words = useWords();
  if (operation.state === "done" || operation.state === "failed") return null;
  const now = operation.phases.find((phase) => phase.state === "running" || phase.state === "waiting");
  const notes = now?.notes ?? [];
  return (
    <>
      {operation.state === "needs_unlock" && <Notice kind="warn"><p>{words.say("page.waitsForSignIn")}</p></Notice>}
      {operation.state === "needs_signature" && <Notice kind="warn"><p>{words.say("page.waitsForSignature")}</p></Notice>}
      {notes.length > 0 && <p className="soft note">{words.alone(words.said(notes))}</p>}
      <p className="note"><Link to={`/operations/${operation.id}`}>{words.say("page.speedOrCancel")}</Link></p>
    </>
  );
}

function stepOf(phase: Operation["phases"][number], name: string): MeterStep {
  const states = { done: "done", failed: "failed", running: "now", waiting: "later" } as const;
  return { name, state: states[phase.state] };
}

/** Whether money has moved although it failed. */
function movedOf({ phases }: Operation): "page.failedAfterwards" | "page.failedOnChain" | "page.failedBefore" {
  const isDone = (name: string): boolean => phases.some((phase) => phase.name === name && phase.state === "done");
  if (isDone("mined")) return "page.failedAfterwards";
  return isDone("sent") ? "page.failedOnChain" : "page.failedBefore";
}
