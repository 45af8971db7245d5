/** The browser's storage; where it is full or forbidden, values live as long as the page. */
function kept(of: () => Storage) {
  const memory = new Map<string, string>();
  return {
    get(name: string): string | null {
      try {
        return of().getItem(name) ?? memory.get(name) ?? null;
      } catch {
        return memory.get(name) ?? null;
      }
    },
    set(name: string, value: string | null): void {
      if (value === null) memory.delete(name);
      else memory.set(name, value);
      try {
        if (value === null) of().removeItem(name);
        else of().setItem(name, value);
      } catch {
        // The value stays in memory.
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
export const tabStorage = kept(() => window.sessionStorage);
/** Kept on this computer. */
export const computerStorage = kept(() => window.localStorage);
