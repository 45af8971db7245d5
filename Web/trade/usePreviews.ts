import { useEffect, useRef, useState } from "react";
import type { ActionPreview, Purchase } from "../shared/api";
import { call, CallError } from "../shared/call";
import { useEvents } from "../shared/events";
import type { FeeSpeed } from "../shared/parts/FeeField";

export type Previews = ReadonlyMap<string, ActionPreview | CallError>;

/** The previews of several purchases, by their listings. */
export async function previewsOf(bodies: readonly Purchase[], feeSpeed: FeeSpeed, signal?: AbortSignal): Promise<Previews> {
  const found = bodies.map(async (body): Promise<readonly [string, ActionPreview | CallError]> => {
    try {
      const given = { body, query: { feeSpeed }, ...(signal !== undefined && { signal }) };
      return [body.listing, await call("POST /v1/sales/preview", given)];
    } catch (error) {
      if (error instanceof CallError) return [body.listing, error];
      throw error;
    }
  });
  return new Map(await Promise.all(found));
}

/** Shows what several purchases would do, and again once something has changed. Former previews stay meanwhile. */
export function usePreviews(bodies: readonly Purchase[], feeSpeed: FeeSpeed): { readonly all: Previews; readonly isReading: boolean; again(): void } {
  const key = JSON.stringify([bodies, feeSpeed]);
  const [state, setState] = useState<{ readonly key: string; readonly all: Previews }>({ key: "", all: new Map() });
  const [tries, setTries] = useState(0);
  const timer = useRef(0);
  useEffect(() => {
    const stop = new AbortController();
    const [asked, speed] = JSON.parse(key) as [readonly Purchase[], FeeSpeed];
    previewsOf(asked, speed, stop.signal).then((all) => setState({ key, all }), () => undefined);
    return () => stop.abort();
  }, [key, tries]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const again = (): void => setTries((count) => count + 1);
  useEvents((event) => {
    if (!["sale", "operation", "listing", "gap"].includes(event.type)) return;
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(again, 1_000);
  });
  return { all: state.all, isReading: state.key !== key, again };
}
