import { useSyncExternalStore } from "react";

/** A value that components watch. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  watch(changed: () => void): () => void;
}

/** Makes a store with its first value. */
export function store<Value>(first: Value): Store<Value> {
  let value = first;
  const watchers = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const changed of [...watchers]) changed();
    },
    watch: (changed) => {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
  };
}

/** The store's value now; the component is drawn again when it changes. */
export function useStore<Value>(of: Store<Value>): Value {
  return useSyncExternalStore(of.watch, of.get);
}
