import type { Calls, Operation } from "./api";
import { call, CallError, newKey, type Arguments, type CallName } from "./call";
import { go } from "./router";
import { session } from "./session";
import { tabStorage } from "./storage";

/** The calls that begin an operation, once for each key. */
type OnceName = { [Name in CallName]: Calls[Name] extends { once: true; answer: Operation } ? Name : never }[CallName];

/** What somebody has agreed to, kept until the node has begun it. */
export interface Intent {
  readonly name: CallName;
  readonly given: { readonly path?: object; readonly query?: object; readonly body?: unknown };
  /** The path of the screen where it was agreed to, to go back to if it is refused. */
  readonly back: string;
  /** The account that agreed, and when, in milliseconds. */
  readonly account: string;
  readonly at: number;
}

/** How long an agreement counts, in milliseconds: what was not begun by then is not begun later by a reload. */
export const agreementMax = 600_000;

/** Operations as the node answered when they began, so that their screen shows them at once. */
const begun = new Map<string, Operation>();

function owner(): string {
  return session.get()?.account.address ?? "";
}

function place(key: string): string {
  return `stoa.intent.${key}`;
}

/**
 * Begins an operation: its screen is shown at once and makes the call there, again with the same key after a reload.
 *
 * The key is made with {@link newKey} when the question opens, so that two clicks are one operation.
 */
export function launch<Name extends OnceName>(name: Name, given: Omit<Arguments<Name>, "once">, back: string, key = newKey()): void {
  tabStorage.set(place(key), JSON.stringify({ name, given, back, account: owner(), at: Date.now() }));
  go(`/operations/${key}`);
}

/** The intent of a key that the node has not begun yet; null if there is none in this tab. */
export function intentOf(key: string): Intent | null {
  try {
    const found = JSON.parse(tabStorage.get(place(key)) ?? "null") as Intent | null;
    return found !== null && found.account === owner() && Date.now() - found.at < agreementMax ? found : null;
  } catch {
    return null;
  }
}

/** Whether nobody knows after a failure if the node has begun something: it did not answer, or failed itself. */
export function isUnknown({ isAway, problem }: CallError): boolean {
  return isAway || problem?.code === "internal_error" || problem?.code === "shutting_down";
}

/**
 * Makes the call of an intent. Returns the operation.
 *
 * Throws a CallError. Only if nobody knows whether it has begun, a reload asks again.
 */
export async function begin(key: string, { name, given }: Intent): Promise<Operation> {
  try {
    const operation = await call(name, { ...given, once: key } as unknown as Arguments<CallName>) as Operation;
    begun.set(operation.id, operation);
    tabStorage.set(place(key), null);
    return operation;
  } catch (error) {
    if (error instanceof CallError && !isUnknown(error)) tabStorage.set(place(key), null);
    throw error;
  }
}

/** An operation that this tab began, as it was then. */
export function firstAnswer(id: string): Operation | undefined {
  return begun.get(id);
}
