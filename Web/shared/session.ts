import type { Session } from "./api";
import { store } from "./store";
import { tabStorage } from "./storage";

/** Why nobody is signed in any longer. */
export type Ending = "left" | "expired" | "elsewhere";

const place = "stoa.session";
const endingPlace = "stoa.ending";

/** The session of this tab; null while nobody is signed in. */
export const session = store<Session | null>(kept());
/** Why the last session ended; null if none did, or the person left. */
export const ending = store<Ending | null>(keptEnding());

/** Other tabs of this node's page: a new one asks them for their session, and hears of a sign-out. */
const tabs = new BroadcastChannel("stoa.session");

/** Counts the sign-ins in other tabs: each gives the browser a new cookie, which a session takes with its next call. */
export const signIns = store(0);

type Told =
  | { readonly kind: "ask" | "began" }
  | { readonly kind: "have"; readonly session: Session }
  | { readonly kind: "ended"; readonly token: string };

function kept(): Session | null {
  try {
    return JSON.parse(tabStorage.get(place) ?? "null") as Session | null;
  } catch {
    return null;
  }
}

function keptEnding(): Ending | null {
  const text = tabStorage.get(endingPlace);
  return text === "expired" || text === "elsewhere" ? text : null;
}

function setEnding(why: Ending | null): void {
  const shown = why === "left" ? null : why;
  tabStorage.set(endingPlace, shown);
  ending.set(shown);
}

/** Begins a session in this tab, that the node has just opened. */
export function beginSession(begun: Session): void {
  keep(begun);
  tellSignIn();
}

/** Tells the other tabs that the browser has a new cookie. */
export function tellSignIn(): void {
  tabs.postMessage({ kind: "began" });
}

function keep(begun: Session): void {
  isAsking = false;
  tabStorage.set(place, JSON.stringify(begun));
  setEnding(null);
  session.set(begun);
}

/** Forgets the session here, and in each tab that has the same. */
export function endSession(why: Ending): void {
  const ended = session.get();
  if (ended === null) return;
  forget(why);
  tabs.postMessage({ kind: "ended", token: ended.token });
}

function forget(why: Ending): void {
  isAsking = false;
  tabStorage.set(place, null);
  setEnding(why);
  session.set(null);
}

/** Whether this tab waits for the session of another one: otherwise an answer is for a third tab. */
let isAsking = false;

/** How long the page waits for an answer before it is shown, in milliseconds. */
const wait = 60;
/** How long a tab takes an answer from a browser that is busy, in milliseconds. */
const askingMax = 10_000;

/** Answers other tabs, and asks them for a session if this tab has none. Resolves after a short wait; an answer after it is taken too. */
export async function shareSession(): Promise<void> {
  const answered = new Promise<void>((done) => {
    const timer = window.setTimeout(done, session.get() === null ? wait : 0);
    tabs.addEventListener("message", (message: MessageEvent<Told>) => {
      const told = message.data;
      const own = session.get();
      if (told.kind === "ask" && own !== null) tabs.postMessage({ kind: "have", session: own });
      if (told.kind === "began") signIns.set(signIns.get() + 1);
      if (told.kind === "ended" && own?.token === told.token) forget("elsewhere");
      if (told.kind === "have" && isAsking && own === null && ending.get() === null) {
        isAsking = false;
        keep(told.session);
        window.clearTimeout(timer);
        done();
      }
    });
  });
  isAsking = session.get() === null;
  if (isAsking) tabs.postMessage({ kind: "ask" });
  window.setTimeout(() => {
    isAsking = false;
  }, askingMax);
  await answered;
}
