import { useEffect, useRef, useState } from "react";
import { CallError, newKey } from "./call";
import { session } from "./session";
import { tabStorage } from "./storage";
import { fileMax, upload } from "./upload";

/** A picture on its way to the node, or there. */
export interface Upload {
  readonly key: string;
  readonly name: string;
  /** How much of it is there, from 0 to 1. */
  readonly part: number;
  /** Its id, once the node has it. */
  readonly id?: string;
  /** Whether it is a document instead of a picture. */
  readonly isDocument?: boolean;
  /** Why the node does not have it; null if it is too large to try. */
  readonly error?: CallError | null;
}

/** Pictures that somebody adds, each for itself: one that fails leaves the others alone. */
export interface Uploads {
  readonly all: readonly Upload[];
  /** How many files were left out, because there were too many. */
  readonly leftOut: number;
  /** Whether one is still on its way. */
  readonly isBusy: boolean;
  /** The ids of those that the node has, in their order. */
  readonly ids: readonly string[];
  add(files: Iterable<File>): void;
  again(key: string): void;
  remove(key: string): void;
  /** Makes it the first one, which lists show. */
  toFront(key: string): void;
  /** Forgets what is kept for a reload. */
  done(): void;
}

/**
 * Pictures that are added to the node; `keep` names the place where those that are there survive a reload.
 *
 * `first` are those that are there from the beginning, if none are kept.
 */
export function useUploads(max: number, keep?: string, first: readonly Upload[] = []): Uploads {
  const place = keep === undefined ? null : `stoa.pictures.${session.get()?.account.address ?? ""}.${keep}`;
  const [all, setAll] = useState<readonly Upload[]>(() => kept(place) ?? first);
  const [leftOut, setLeftOut] = useState(0);
  const files = useRef(new Map<string, { file: File; stop: AbortController }>());
  // One after the other: the node takes one file of an account at a time.
  const line = useRef<Promise<void>>(Promise.resolve());
  const ids = all.flatMap((one) => (one.id === undefined ? [] : [one.id]));
  const text = textOf(all);
  // Those of the beginning can be others the next time, so only a change is kept.
  const unchanged = useRef(textOf(first));
  useEffect(() => {
    if (place !== null) tabStorage.set(place, text === unchanged.current ? null : text);
  }, [place, text]);
  useEffect(() => {
    const begun = files.current;
    return () => begun.forEach(({ stop }) => stop.abort());
  }, []);

  function change(key: string, how: (one: Upload) => Upload): void {
    setAll((now) => now.map((one) => (one.key === key ? how(one) : one)));
  }

  function begin(key: string, file: File): void {
    const stop = new AbortController();
    files.current.set(key, { file, stop });
    line.current = line.current.then(async () => {
      if (stop.signal.aborted) return;
      try {
        const { id, type } = await upload(file, (part) => change(key, (one) => ({ ...one, part })), stop.signal);
        change(key, ({ name }) => ({ key, name, part: 1, id, isDocument: type === "application/pdf" }));
      } catch (error) {
        change(key, ({ name }) => ({ key, name, part: 0, error: error instanceof CallError ? error : new CallError(null, true) }));
      }
    });
  }

  return {
    all, leftOut, ids,
    isBusy: all.some((one) => one.id === undefined && one.error === undefined),
    add: (given) => {
      const chosen = [...given];
      const room = Math.max(0, max - all.length);
      setLeftOut(Math.max(0, chosen.length - room));
      const added = chosen.slice(0, room).map((file) => ({ file, key: newKey() }));
      setAll((now) => [...now, ...added.map(({ file, key }): Upload => ({
        key, name: file.name, part: 0, ...(file.size > fileMax && { error: null }),
      }))]);
      for (const { file, key } of added) if (file.size <= fileMax) begin(key, file);
    },
    again: (key) => {
      const begun = files.current.get(key);
      if (begun === undefined) return;
      change(key, ({ name }) => ({ key, name, part: 0 }));
      begin(key, begun.file);
    },
    remove: (key) => {
      files.current.get(key)?.stop.abort();
      files.current.delete(key);
      setLeftOut(0);
      setAll((now) => now.filter((one) => one.key !== key));
    },
    toFront: (key) => setAll((now) => [...now.filter((one) => one.key === key), ...now.filter((one) => one.key !== key)]),
    done: () => {
      if (place !== null) tabStorage.set(place, null);
    },
  };
}

function textOf(all: readonly Upload[]): string {
  return JSON.stringify(all.flatMap(({ id, name, isDocument }) => (id === undefined ? [] : [{ id, name, isDocument: isDocument === true }])));
}

function kept(place: string | null): readonly Upload[] | null {
  try {
    const found: unknown = JSON.parse((place === null ? null : tabStorage.get(place)) ?? "null");
    if (!Array.isArray(found)) return null;
    return (found as readonly { id: string; name: string; isDocument?: boolean }[])
      .map(({ id, name, isDocument }) => ({ key: id, id, name, part: 1, isDocument: isDocument === true }));
  } catch {
    return null;
  }
}
