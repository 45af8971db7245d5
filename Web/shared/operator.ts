import type { OperatorSession } from "./api";
import { store } from "./store";
import { tabStorage } from "./storage";

const kept = "stoa.operator";

/** The operator's session on this tab: its token; null while there is none. */
export const operator = store<string | null>(tabStorage.get(kept));
/** Whether a link for the operator was opened that is of no use any longer. */
export const isLinkOver = store(false);

/** Begins the operator's session on this tab. */
export function beginOperator(begun: OperatorSession): void {
  tabStorage.set(kept, begun.token);
  operator.set(begun.token);
}

/** Forgets the operator's session here. */
export function endOperator(): void {
  tabStorage.set(kept, null);
  operator.set(null);
}

/**
 * The code of a link for the operator ('/#code=…'), or null.
 *
 * It leaves the address at once, so that neither the history nor a copied address has it.
 */
export function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get("code");
  if (code === null) return null;
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  return code;
}
