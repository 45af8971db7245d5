import type { Calls } from "./api";
import { call, type Arguments, type CallName } from "./call";
import type { Reading } from "./readings";
import { useReading, type Refresh } from "./useCall";

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string | null;
}

/** The calls that answer with a page of a list. */
type PagedName = { [Name in CallName]: Calls[Name]["answer"] extends Page<unknown> ? Name : never }[CallName];
type ItemOf<Name extends PagedName> = Calls[Name]["answer"]["items"][number];

/** The most entries that the node gives at once. */
const limit = 100;

/** Reads a list to its end, page by page. Messages are read backwards from the newest; their order stays. */
async function allOf<Name extends PagedName>(name: Name, given: { readonly query?: object | null | undefined }, signal: AbortSignal): Promise<readonly ItemOf<Name>[]> {
  const isBackwards = name === "GET /v1/conversations/{id}/messages";
  const pages: (readonly ItemOf<Name>[])[] = [];
  let next: string | null | undefined;
  do {
    const query = { ...given.query, limit, ...(next != null && { [isBackwards ? "before" : "after"]: next }) };
    // eslint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const page: Page<ItemOf<Name>> = await call(name, { ...given, query, signal } as unknown as Arguments<Name>);
    if (isBackwards) pages.unshift(page.items);
    else pages.push(page.items);
    ({ next } = page);
  } while (next != null);
  return pages.flat();
}

/** Reads all of a list, for a screen that looks for something in it, and again as `useCall` does. With null it waits. */
export function useAll<Name extends PagedName>(
  name: Name, given: Omit<Arguments<Name>, "signal"> | null, refresh: Refresh = [],
): Reading<readonly ItemOf<Name>[]> & { again(): void } {
  const read = given === null ? null : (signal: AbortSignal) => allOf(name, given, signal);
  return useReading(["all", name, given], read, refresh);
}
