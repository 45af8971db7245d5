import type { Calls, Problem } from "./api";
import { askPassword, confirmations } from "./confirmation";
import { endOperator, operator } from "./operator";
import { endSession, session } from "./session";

export type CallName = keyof Calls & string;
type Of<Name extends CallName, Part extends keyof Calls[Name]> = Calls[Name][Part];

/** The parts that a call takes, and no others. */
export type Arguments<Name extends CallName> =
  & (Of<Name, "path"> extends null ? { path?: never } : { path: Of<Name, "path"> })
  & (Of<Name, "query"> extends null ? { query?: never } : { query?: Of<Name, "query"> })
  & (Of<Name, "body"> extends undefined ? { body?: never } : { body: Of<Name, "body"> })
  & (Of<Name, "once"> extends true ? { once: string } : { once?: never })
  & { signal?: AbortSignal };

/** Whose session a call is made with. */
type Caller = "account" | "operator" | "nobody";

/** How a call failed of which the node says nothing: no answer came, it could not be read, or the way to the node refused the size. */
export type Failure = "silent" | "unreadable" | "tooLarge";

/** Why a call has no answer. */
export class CallError extends Error {
  /**
   * - `problem`: what the node says, unless no answer of it came;
   * - `isAway`: nobody knows what the node did: it was not reached, or did not answer in time or readably.
   */
  constructor(readonly problem: Problem | null, readonly isAway: boolean, readonly failure: Failure = "silent") {
    super(problem?.code ?? "away");
  }
}

/** How long the page waits for an answer, in milliseconds. */
const patience = 20_000;

/** A key for one intent: made when it begins, sent again with each try. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The path of a call with its values. */
export function address(path: string, values?: object | null, query?: object | null): string {
  const named = new Map(Object.entries(values ?? {}));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(named.get(name) ?? "")));
  const asked = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (asked.length === 0) return filled;
  return `${filled}?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`;
}

/**
 * Calls the node. Throws a {@link CallError}, or the signal's reason if it was aborted.
 *
 * If the node wants the password again before money moves, the person is asked for it, and the call is repeated, as
 * often as the node refuses it for that reason and the person does not give up.
 *
 * For the account it is made with the operator's session if no account is signed in on this tab.
 */
export async function call<Name extends CallName>(
  name: Name, given: Arguments<Name>, as: Caller = "account",
): Promise<Of<Name, "answer">> {
  const token = tokenOf(as);
  for (;;) {
    const before = confirmations();
    try {
      // eslint-disable-next-line no-await-in-loop -- each try follows an answer
      return await signedAttempt(name, given, token);
    } catch (error) {
      if (codeOf(error) !== "password_needed") throw error;
      // Another call's question was answered while this one was under way.
      if (confirmations() !== before) continue;
      // eslint-disable-next-line no-await-in-loop
      if (!await askPassword()) throw error;
    }
  }
}

function tokenOf(caller: Caller): string | undefined {
  if (caller === "nobody") return undefined;
  return (caller === "account" ? session.get()?.token : undefined) ?? operator.get() ?? undefined;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof CallError ? error.problem?.code : undefined;
}

async function signedAttempt<Name extends CallName>(
  name: Name, given: Arguments<Name>, token: string | undefined,
): Promise<Of<Name, "answer">> {
  try {
    return await attempt(name, given, token);
  } catch (error) {
    // A sign-in in another tab gives the cookie another value while this call is under way.
    if (codeOf(error) === "sign_in_needed" && token !== undefined) return await lastAttempt(name, given, token);
    throw error;
  }
}

async function lastAttempt<Name extends CallName>(name: Name, given: Arguments<Name>, token: string): Promise<Of<Name, "answer">> {
  try {
    return await attempt(name, given, token);
  } catch (error) {
    if (codeOf(error) !== "sign_in_needed") throw error;
    if (session.get()?.token === token) endSession("expired");
    if (operator.get() !== token) throw error;
    endOperator();
    // The operator sees the market as everybody does, so the screen goes on without the session.
    return await attempt(name, given, undefined);
  }
}

async function attempt<Name extends CallName>(
  name: Name, given: Arguments<Name>, token: string | undefined,
): Promise<Of<Name, "answer">> {
  const [method = "", path = ""] = name.split(" ");
  const headers = new Headers();
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  if (given.once !== undefined) headers.set("Idempotency-Key", given.once);
  const isFile = given.body instanceof Blob;
  if (given.body !== undefined) headers.set("Content-Type", isFile ? "application/octet-stream" : "application/json");
  const body = given.body === undefined ? null : isFile ? given.body as Blob : JSON.stringify(given.body);
  const late = new AbortController();
  const timer = window.setTimeout(() => late.abort(), isFile ? patience * 60 : patience);
  const abort = (): void => late.abort();
  given.signal?.addEventListener("abort", abort);
  try {
    const reply = await fetch(address(path, given.path, given.query), {
      method, headers, body, signal: late.signal, cache: "no-store", redirect: "error",
    });
    return await read<Of<Name, "answer">>(reply);
  } catch (error) {
    given.signal?.throwIfAborted();
    if (error instanceof CallError) throw error;
    throw new CallError(null, true);
  } finally {
    window.clearTimeout(timer);
    given.signal?.removeEventListener("abort", abort);
  }
}

async function read<Answer>(reply: Response): Promise<Answer> {
  return answerIn<Answer>(reply.status, await reply.text());
}

/** The statuses by which a proxy says that the node behind it is not there. */
const away: readonly number[] = [502, 503, 504];

/** Reads the text of an answer. Throws a {@link CallError} for a problem, and for a text that no node writes. */
export function answerIn<Answer>(status: number, text: string): Answer {
  if (status === 204) return undefined as Answer;
  const found = parsed(text);
  if (status < 300 && found !== null) return found as Answer;
  const problem = found as Problem | null;
  if (status >= 300 && typeof problem?.code === "string") throw new CallError(problem, false);
  if (status === 413) throw new CallError(null, false, "tooLarge");
  throw new CallError(null, true, away.includes(status) ? "silent" : "unreadable");
}

function parsed(text: string): object | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}
