/** Takes away a value that could not be replaced: the newer one in memory counts. */
function forgetOlder(of: () => Storage, name: string): void {
  try {
    of().removeItem(name);
  } catch {
    // Only memory has values.
  }
}

/**
 * The browser's storage; where it is full or forbidden, values live as long as the page.
 *
 * Other tabs write into one that is shared, so there the storage's own value counts before that in memory.
 */
function kept(of: () => Storage, isShared: boolean) {
  const memory = new Map<string, string>();
  return {
    get(name: string): string | null {
      const own = memory.get(name);
      if (own !== undefined && !isShared) return own;
      try {
        return of().getItem(name) ?? own ?? null;
      } catch {
        return own ?? null;
      }
    },
    set(name: string, value: string | null): void {
      if (value === null) memory.delete(name);
      else memory.set(name, value);
      try {
        if (value === null) of().removeItem(name);
        else of().setItem(name, value);
      } catch {
        forgetOlder(of, name);
      }
    },
    /** Forgets all values whose names begin with a text. */
    forget(prefix: string): void {
      const names = [...memory.keys()];
      try {
        names.push(...Object.keys(of()));
      } catch {
        // Only memory has values.
      }
      for (const name of names) if (name.startsWith(prefix)) this.set(name, null);
    },
  };
}

/** Kept until the tab is closed. */
export const tabStorage = kept(() => window.sessionStorage, false);
/** Kept on this computer. */
export const computerStorage = kept(() => window.localStorage, true);
