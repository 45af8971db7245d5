import { CallError } from "./call";
import { session } from "./session";
import { store, type Store } from "./store";

/** An answer of the node as screens see it. What was there stays while it is read again. */
export interface Reading<Answer> {
  readonly answer: Answer | null;
  readonly error: CallError | null;
  readonly isReading: boolean;
}

/** One question to the node, with its answer for all who show it. */
export interface Entry<Answer> {
  readonly state: Store<Reading<Answer>>;
  /** Reads it again. */
  again(): void;
  /** Reads it again in a moment, so that many events cost one call. */
  soon(): void;
  /** Begins to show it, and reads it. Returns how to end that. */
  show(): () => void;
}

const kept = new Map<string, { entry: Entry<unknown>; shown: number }>();
/** Answers that are kept although nothing shows them, so that going back shows at once what was there. */
const keptMax = 60;
/** How long events are gathered, in milliseconds, and how often at most they cost a call. */
const gathering = 80;
const restingMin = 1_000;

session.watch(() => {
  for (const [key, { shown }] of kept) if (shown === 0) kept.delete(key);
});

function drop(): void {
  for (const [key, { shown }] of kept) {
    if (kept.size <= keptMax) return;
    if (shown === 0) kept.delete(key);
  }
}

/** The entry of a question; the same question has the same entry. */
export function entryOf<Answer>(key: string, read: (signal: AbortSignal) => Promise<Answer>): Entry<Answer> {
  const known = kept.get(key);
  if (known !== undefined) return known.entry as Entry<Answer>;
  const state = store<Reading<Answer>>({ answer: null, error: null, isReading: true });
  let stop: AbortController | null = null;
  let timer = 0;
  let readAt = -restingMin;

  function again(): void {
    stop?.abort();
    const own = new AbortController();
    stop = own;
    readAt = performance.now();
    state.set({ ...state.get(), isReading: true });
    read(own.signal).then(
      (answer) => state.set({ answer, error: null, isReading: false }),
      (error: unknown) => {
        if (own.signal.aborted) return;
        const fault = error instanceof CallError ? error : new CallError(null, true);
        state.set({ ...state.get(), error: fault, isReading: false });
      },
    );
  }

  const held = {
    shown: 0,
    entry: {
      state, again,
      soon: () => {
        window.clearTimeout(timer);
        timer = window.setTimeout(again, Math.max(gathering, restingMin - (performance.now() - readAt)));
      },
      show: () => {
        if (held.shown++ === 0) again();
        return () => {
          if (--held.shown > 0) return;
          stop?.abort();
          window.clearTimeout(timer);
          drop();
        };
      },
    },
  };
  kept.set(key, held as unknown as { entry: Entry<unknown>; shown: number });
  return held.entry;
}
