import { useEffect, useMemo } from "react";
import type { Calls, Event } from "./api";
import { call, type Arguments, type CallName } from "./call";
import { useEvents } from "./events";
import { entryOf, type Entry, type Reading } from "./readings";
import { session } from "./session";
import { store, useStore } from "./store";

/** The types of events after which an answer is read again; a function decides by the event. */
export type Refresh = readonly string[] | ((event: Event) => boolean);

const idle: Entry<never> = {
  state: store<Reading<never>>({ answer: null, error: null, isReading: false }),
  again: () => undefined, soon: () => undefined, show: () => () => undefined,
};

/**
 * Reads from the node what a screen shows, and again whenever an event says that it has changed.
 *
 * With null as arguments it waits.
 */
export function useCall<Name extends CallName>(
  name: Name, given: Arguments<Name> | null, refresh: Refresh = [],
): Reading<Calls[Name]["answer"]> & { again(): void } {
  const read = given === null ? null : (signal: AbortSignal) => call(name, { ...given, signal });
  return useReading([name, given], read, refresh);
}

/** Reads a question in its own way, as `useCall` does; the question says all that the reading depends on. */
export function useReading<Answer>(
  question: readonly unknown[], read: ((signal: AbortSignal) => Promise<Answer>) | null, refresh: Refresh,
): Reading<Answer> & { again(): void } {
  const account = useStore(session)?.account.address ?? "";
  const key = read === null ? null : JSON.stringify([account, ...question]);
  const entry: Entry<Answer> = useMemo(
    () => (key === null || read === null ? idle : entryOf(key, read)),
    // The key says all that the reading depends on.
    // eslint-disable-next-line react/exhaustive-deps, react-hooks/exhaustive-deps
    [key],
  );
  const state = useStore(entry.state);
  useEffect(() => entry.show(), [entry]);
  useEvents((event) => {
    const isOurs = typeof refresh === "function" ? refresh(event) : refresh.includes(event.type);
    if (isOurs || event.type === "gap") entry.soon();
  });
  return { ...state, again: entry.again };
}
