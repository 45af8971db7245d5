import { useEffect, useRef } from "react";
import type { Event as NodeEvent } from "./api";
import { call } from "./call";
import { connect, watchWork, work, type EventSource } from "./eventSocket";
import { operator } from "./operator";
import { session, signIns } from "./session";
import { store } from "./store";

/** Whether this browser hears from the node: one tab has the sockets, the others hear from it. */
export const link = store<"open" | "away">("open");

type Listener = (event: NodeEvent) => void;

const listeners = new Set<Listener>();

function hear(event: NodeEvent): void {
  for (const listener of [...listeners]) listener(event);
}

/** One tab tells the others: an event, how the connection is, or that somebody works. */
interface Told {
  readonly event?: NodeEvent;
  readonly state?: "open" | "away";
  readonly isAtWork?: true;
}

function take(told: Told): void {
  if (told.event) hear(told.event);
  if (told.state) link.set(told.state);
  if (told.isAtWork) work.dispatchEvent(new Event("work"));
}

/** How long until the next try to connect, in milliseconds: from half a second to 4, so that a node that is back is soon seen. */
function pause(tries: number): number {
  return Math.min(4_000, 500 * 2 ** tries);
}

/**
 * Follows the events of an account as long as the signal lets it.
 *
 * Of all tabs with this account, the one that holds the lock has the sockets and tells the others; when it closes,
 * the next one takes over.
 */
async function follow(account: string, ends: AbortSignal): Promise<void> {
  const name = `stoa.events.${account}`;
  const channel = new BroadcastChannel(name);
  const hasLocks = "locks" in navigator;
  const tell = (told: Told): void => {
    if (hasLocks) channel.postMessage(told);
    take(told);
  };
  channel.addEventListener("message", (message: MessageEvent<Told>) => {
    take(message.data);
    if (message.data.state === "away") void checkSession();
  });
  const stopWatching = watchWork(() => tell({ isAtWork: true }));
  try {
    const both = (): Promise<unknown> => Promise.all([lead("account", account, tell, ends), lead("records", account, tell, ends)]);
    // Plain http from elsewhere has no locks: then each tab has sockets of its own, and tells nobody.
    if (hasLocks) await navigator.locks.request(name, { signal: ends }, both);
    else await both();
  } catch {
    // Aborted while it waited for the lock.
  } finally {
    stopWatching();
    channel.close();
  }
}

/**
 * Ends this tab's session if the node does not know it any longer.
 *
 * The socket says nothing of it: the node opens it for the newest session of the account in the browser, and another
 * tab can have that one.
 */
async function checkSession(): Promise<void> {
  if (session.get() === null && operator.get() === null) return;
  await call("GET /v1/sessions/current", {}).catch(() => undefined);
}

/** Keeps one socket open. */
async function lead(of: EventSource, account: string, tell: (told: Told) => void, ends: AbortSignal): Promise<void> {
  const say = (state: "open" | "away"): void => {
    // The account's own socket says how the connection is: both break together.
    if (of === "account") tell({ state });
  };
  let last: number | null = null;
  for (let tries = 0; !ends.aborted; tries++) {
    const began = performance.now();
    const listener = { opened: () => say("open"), heard: (event: NodeEvent) => tell({ event }) };
    // eslint-disable-next-line no-await-in-loop -- the next connection follows the end of this one
    const seen: number | null = await connect(of, account, last, listener, ends);
    if (seen !== null) last = seen;
    if (ends.aborted) return;
    say("away");
    // eslint-disable-next-line no-await-in-loop
    if (of === "account") await checkSession();
    if (performance.now() - began > 30_000) tries = 0;
    // eslint-disable-next-line no-await-in-loop
    await wake(pause(tries), ends);
  }
}

/** Waits, but not beyond the moment when the computer wakes up or is online again. */
function wake(milliseconds: number, ends: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const stop = new AbortController();
    const finish = (): void => {
      stop.abort();
      done();
    };
    window.setTimeout(finish, milliseconds);
    window.addEventListener("online", finish, { signal: stop.signal });
    document.addEventListener("visibilitychange", finish, { signal: stop.signal });
    ends.addEventListener("abort", finish, { signal: stop.signal });
  });
}

/** Follows the events of the account that is signed in. */
export function followEvents(): void {
  let current: { token: string; stop: AbortController } | null = null;
  const change = (): void => {
    const now = session.get();
    if (now?.token === current?.token) return;
    current?.stop.abort();
    link.set("open");
    current = now === null ? null : { token: now.token, stop: new AbortController() };
    if (now !== null && current !== null) void follow(now.account.address, current.stop.signal);
  };
  session.watch(change);
  signIns.watch(() => void checkSession());
  change();
}

/** Calls a function for each event while the component is shown. */
export function useEvents(listener: Listener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const heard: Listener = (event) => latest.current(event);
    listeners.add(heard);
    return () => void listeners.delete(heard);
  }, []);
}
