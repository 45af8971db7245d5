import { useEffect, useRef } from "react";

/** Calls a function again and again while the window is seen, every so many seconds; 0 never does. */
export function useRepeated(seconds: number, act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (seconds === 0) return undefined;
    const timer = window.setInterval(() => {
      if (document.visibilityState === "visible") latest.current();
    }, seconds * 1_000);
    return () => window.clearInterval(timer);
  }, [seconds]);
}
