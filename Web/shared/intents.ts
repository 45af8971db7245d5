import type { Operation } from "./api";
import { call, newKey, type Arguments, type CallName } from "./call";
import { go } from "./router";
import { tabStorage } from "./storage";

/** What somebody has agreed to, kept until the node has begun it. */
export interface Intent {
  readonly name: CallName;
  readonly given: { readonly path?: object; readonly query?: object; readonly body?: unknown };
  /** The path of the screen where it was agreed to, to go back to if it is refused. */
  readonly back: string;
}

/** Operations as the node answered when they began, so that their screen shows them at once. */
const begun = new Map<string, Operation>();

function place(key: string): string {
  return `stoa.intent.${key}`;
}

/**
 * Begins an operation: its screen is shown at once and makes the call there, again with the same key after a reload.
 *
 * The key is made with {@link newKey} when the question opens, so that two clicks are one operation.
 */
export function launch<Name extends CallName>(name: Name, given: Omit<Arguments<Name>, "once">, back: string, key = newKey()): void {
  tabStorage.set(place(key), JSON.stringify({ name, given, back }));
  go(`/operations/${key}`);
}

/** The intent of a key that the node has not begun yet; null if there is none in this tab. */
export function intentOf(key: string): Intent | null {
  try {
    return JSON.parse(tabStorage.get(place(key)) ?? "null") as Intent | null;
  } catch {
    return null;
  }
}

/** Makes the call of an intent. Returns the operation; throws a CallError, and then the intent stays. */
export async function begin(key: string, { name, given }: Intent): Promise<Operation> {
  const operation = await call(name, { ...given, once: key } as unknown as Arguments<CallName>) as Operation;
  begun.set(operation.id, operation);
  forgetIntent(key);
  return operation;
}

export function forgetIntent(key: string): void {
  tabStorage.set(place(key), null);
}

/** An operation that this tab began, as it was then. */
export function firstAnswer(id: string): Operation | undefined {
  return begun.get(id);
}
