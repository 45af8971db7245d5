import type { Event as NodeEvent } from "./api";

/** The account's events, or those of records that arrive at the node. */
export type EventSource = "account" | "records";

/** The event of the page itself, after which every list is read again. */
const missed: NodeEvent = { id: 0, time: "", type: "gap", subject: "", data: {} };

/** Told while somebody types or points; the node then keeps the session. */
export const work = new EventTarget();
/** How often it is told at most, in milliseconds. */
const workPause = 60_000;
/** A tick that is late by so many milliseconds means that the computer has slept: a hidden tab has one a minute. */
const sleepMin = 90_000;
const tick = 2_000;

/** Calls a function while somebody types or points, once a minute at most. Returns how to end that. */
export function watchWork(report: () => void): () => void {
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

interface Listener {
  opened(): void;
  heard(event: NodeEvent): void;
}

/** One connection until its end. Returns the id of the last event; null if there was none. */
export function connect(
  of: EventSource, account: string, after: number | null, listener: Listener, ends: AbortSignal,
): Promise<number | null> {
  return new Promise((done) => {
    const scheme = window.location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams({ of, as: account, ...(after === null ? {} : { after: String(after) }) });
    const socket = new WebSocket(`${scheme}://${window.location.host}/v1/events?${query}`);
    const stop = new AbortController();
    let last: number | null = null;
    let ticked = Date.now();
    // A connection that broke while the computer slept is not told to anybody.
    const timer = window.setInterval(() => {
      if (Date.now() - ticked > tick + sleepMin) socket.close();
      ticked = Date.now();
    }, tick);
    ends.addEventListener("abort", () => socket.close(), { signal: stop.signal });
    work.addEventListener("work", () => {
      if (of === "account" && socket.readyState === WebSocket.OPEN) socket.send("active");
    }, { signal: stop.signal });
    socket.addEventListener("open", () => {
      listener.opened();
      // Without a last event nobody knows what happened before: everything is read again.
      if (after === null) listener.heard(missed);
    });
    socket.addEventListener("message", (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as NodeEvent;
      last = event.id;
      listener.heard(event);
    });
    socket.addEventListener("close", () => {
      stop.abort();
      window.clearInterval(timer);
      done(last);
    });
  });
}
