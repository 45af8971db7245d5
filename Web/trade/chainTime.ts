import { useEffect, useState } from "react";

/** The chain's time less this computer's, in milliseconds, for each answer when it came. */
const leads = new WeakMap<object, number>();

function leadOf(answer: object, time: string): number {
  const lead = leads.get(answer) ?? Date.parse(time) - performance.now();
  leads.set(answer, lead);
  return lead;
}

/**
 * The time on the chain's clock now, in milliseconds; null while no answer says it.
 *
 * It goes on from the time that the answer names, whatever the computer's own clock shows.
 */
export function useChainTime(answer: object | null, time: string | null | undefined, isTicking: boolean): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    if (answer === null || time == null) return undefined;
    const lead = leadOf(answer, time);
    const tick = (): void => setNow(lead + performance.now());
    tick();
    const timer = isTicking ? window.setInterval(tick, 1_000) : undefined;
    return () => window.clearInterval(timer);
  }, [answer, time, isTicking]);
  return now;
}
