import { store, useStore } from "./store";
import { isOutdated } from "./version";

/** Where the page is: the path, and what follows the question mark. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Counts the places that were visited, so that the same path again is another place. */
  readonly visit: number;
}

interface Mark {
  readonly visit: number;
}

const scrolls = new Map<number, number>();

function here(visit: number): Place {
  return { path: window.location.pathname, query: new URLSearchParams(window.location.search), visit };
}

function markOf(state: unknown): number | null {
  return typeof state === "object" && state !== null && "visit" in state ? (state as Mark).visit : null;
}

export const place = store<Place>(here(markOf(window.history.state) ?? Date.now()));

/** Why the page must not be left now, such as a form that is not saved; empty if it may be. */
const guards = new Set<() => boolean>();

/** Asks before the page is left, while the function returns true. Returns how to end that. */
export function guard(hasUnsaved: () => boolean): () => void {
  guards.add(hasUnsaved);
  return () => void guards.delete(hasUnsaved);
}

/** Goes to a path of the page; to another screen of a page that the node no longer has by loading the new one. */
export function go(to: string, how: "push" | "replace" = "push"): void {
  if (isOutdated.get() && how === "push") {
    window.location.assign(to);
    return;
  }
  scrolls.set(place.get().visit, window.scrollY);
  const visit = how === "push" ? Date.now() + Math.random() : place.get().visit;
  window.history[how === "push" ? "pushState" : "replaceState"]({ visit }, "", to);
  place.set(here(visit));
  if (how === "push") window.scrollTo(0, 0);
}

/** Follows the browser's back and forward, and keeps where each place was scrolled to. */
export function followHistory(): void {
  window.history.scrollRestoration = "manual";
  window.history.replaceState({ visit: place.get().visit }, "");
  window.addEventListener("popstate", (event) => {
    scrolls.set(place.get().visit, window.scrollY);
    const visit = markOf(event.state) ?? Date.now();
    place.set(here(visit));
    const top = scrolls.get(visit) ?? 0;
    // Two frames: the second one has what known answers draw.
    requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo(0, top)));
  });
  window.addEventListener("beforeunload", (event) => {
    if ([...guards].some((hasUnsaved) => hasUnsaved())) event.preventDefault();
  });
}

export function usePlace(): Place {
  return useStore(place);
}

/** The values of a path in a pattern such as '/listings/:id'; null if it is of another form. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? "";
    if (part.startsWith(":")) {
      if (text === "") return null;
      try {
        values[part.slice(1)] = decodeURIComponent(text);
      } catch {
        return null;
      }
    } else if (part !== text) return null;
  }
  return values;
}
