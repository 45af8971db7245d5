import { useEffect, useRef } from "react";
import type { Event as NodeEvent } from "./api";
import { endSession, session } from "./session";
import { store } from "./store";

/** Whether this browser hears from the node: one tab has the sockets, the others hear from it. */
export const link = store<"open" | "away">("open");

type Listener = (event: NodeEvent) => void;

const listeners = new Set<Listener>();

/** The event of the page itself, after which every list is read again. */
const missed: NodeEvent = { id: 0, time: "", type: "gap", subject: "", data: {} };

function hear(event: NodeEvent): void {
  for (const listener of [...listeners]) listener(event);
}

/** Tells the open socket that somebody works. */
const work = new EventTarget();
/** How often it is told at most, in milliseconds. */
const workPause = 60_000;

/** Calls a function while somebody types or points, once a minute at most. Returns how to end that. */
function watchWork(report: () => void): () => void {
  const stop = new AbortController();
  let last = 0;
  const seen = (): void => {
    if (Date.now() - last < workPause) return;
    last = Date.now();
    report();
  };
  for (const kind of ["pointerdown", "keydown", "wheel"]) {
    window.addEventListener(kind, seen, { signal: stop.signal, passive: true });
  }
  return () => stop.abort();
}

interface Told {
  readonly event?: NodeEvent;
  /** Somebody works in a tab, which keeps the session. */
  readonly isAtWork?: true;
  readonly state?: "open" | "away";
}

type Source = "account" | "records";

/** How long until the next try to connect, in milliseconds: from half a second to 15. */
function pause(tries: number): number {
  return Math.min(15_000, 500 * 2 ** tries);
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
  channel.addEventListener("message", (message: MessageEvent<Told>) => {
    if (message.data.event) hear(message.data.event);
    if (message.data.state) link.set(message.data.state);
    if (message.data.isAtWork) work.dispatchEvent(new Event("work"));
  });
  const stopWatching = watchWork(() => {
    channel.postMessage({ isAtWork: true });
    work.dispatchEvent(new Event("work"));
  });
  const tell = (told: Told): void => {
    channel.postMessage(told);
    if (told.event) hear(told.event);
    if (told.state) link.set(told.state);
  };
  try {
    await navigator.locks.request(name, { signal: ends }, () =>
      Promise.all([lead("account", account, tell, ends), lead("records", account, tell, ends)]));
  } catch {
    // Aborted while it waited for the lock.
  } finally {
    stopWatching();
    channel.close();
  }
}

/** Keeps a socket open for the account's events, or for those of records that arrive at the node. */
async function lead(of: Source, account: string, tell: (told: Told) => void, ends: AbortSignal): Promise<void> {
  let last: number | null = null;
  for (let tries = 0; !ends.aborted; tries++) {
    const began = performance.now();
    // eslint-disable-next-line no-await-in-loop -- the next connection follows the end of this one
    const seen: number | null = await connect(of, account, last, tell, ends);
    if (seen !== null) last = seen;
    if (ends.aborted) return;
    tell({ state: "away" });
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

/** One connection until its end. Returns the id of the last event. */
function connect(of: Source, account: string, after: number | null, tell: (told: Told) => void, ends: AbortSignal): Promise<number | null> {
  return new Promise((done) => {
    const base = `${window.location.protocol === "https:" ? "wss" : "ws"}://${window.location.host}/v1/events?of=${of}&as=${account}`;
    const socket = new WebSocket(after === null ? base : `${base}&after=${after}`);
    let last: number | null = null;
    const close = (): void => socket.close();
    const report = (): void => {
      if (of === "account" && socket.readyState === WebSocket.OPEN) socket.send("active");
    };
    work.addEventListener("work", report);
    ends.addEventListener("abort", close, { once: true });
    socket.addEventListener("open", () => {
      tell({ state: "open" });
      // Without a last event nobody knows what happened before: everything is read again.
      if (after === null) tell({ event: missed });
    });
    socket.addEventListener("message", (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as NodeEvent;
      last = event.id;
      tell({ event });
    });
    socket.addEventListener("close", (closed) => {
      ends.removeEventListener("abort", close);
      work.removeEventListener("work", report);
      if (closed.code === 3000) endSession("expired");
      done(last);
    });
  });
}

/** Follows the events of whoever is signed in. */
export function followEvents(): void {
  let current: { token: string; stop: AbortController } | null = null;
  const change = (): void => {
    const now = session.get();
    if (now?.token === current?.token) return;
    current?.stop.abort();
    current = now === null ? null : { token: now.token, stop: new AbortController() };
    if (now !== null && current !== null) void follow(now.account.address, current.stop.signal);
  };
  session.watch(change);
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
