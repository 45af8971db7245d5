import type { Operation } from "../shared/api";
import type { MeterStep } from "../shared/parts/Meter";
import type { Words } from "../shared/words";

const states = { waiting: "later", running: "now", done: "done", failed: "failed" } as const;

/** The steps of an operation, for the meter. */
export function stepsOf(words: Words, operation: Operation): readonly MeterStep[] {
  return operation.phases.map((phase) => ({ name: words.alone(words.named("step", phase.name)), state: states[phase.state] }));
}

/** The steps of an operation that the node has not answered yet. */
export function firstSteps(words: Words): readonly MeterStep[] {
  return ["estimate", "signed", "sent", "mined", "confirmed"].map((name, index) => (
    { name: words.alone(words.named("step", name)), state: index === 0 ? "now" : "later" }
  ));
}

/** Whether the operation's transaction can be replaced: it waits to be mined, or is not signed yet. */
export function canReplace(operation: Operation, how: "speed-up" | "cancel"): boolean {
  if (operation.endedAt != null) return false;
  const at = (name: string) => operation.phases.find((phase) => phase.name === name)?.state;
  const isMined = at("mined") === "done";
  return !isMined && (how === "cancel" || at("signed") === "done");
}

/** How much an operation that failed has moved: nothing, at most a fee, or what its transaction says. */
export function movedBy(operation: Operation): "nothing" | "fee" | "all" {
  const at = (name: string) => operation.phases.find((phase) => phase.name === name)?.state;
  if (at("confirmed") === "done") return "all";
  return at("sent") === "done" ? "fee" : "nothing";
}

/** The screen of what the operation is about; null if it has none. */
export function subjectPath({ subject }: Operation): string | null {
  if (subject == null) return null;
  if (/^0x[0-9a-f]{64}$/i.test(subject)) return `/sales/${subject}`;
  return /^0x[0-9a-f]{40}\.[0-9a-f]{64}$/i.test(subject) ? `/listings/${subject}` : null;
}

/** The colour of a state: only what went wrong or waits for the reader has one. */
export function stateLook(state: Operation["state"]): string {
  return { running: "", done: "", failed: " fault", needs_unlock: " warn", needs_signature: " warn" }[state];
}
