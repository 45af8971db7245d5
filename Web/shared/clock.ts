import { store, useStore } from "./store";

/** The time now in milliseconds, told each half minute for what says how long ago or until when. */
const now = store(Date.now());

window.setInterval(() => now.set(Date.now()), 30_000);

export function useNow(): number {
  return useStore(now);
}
