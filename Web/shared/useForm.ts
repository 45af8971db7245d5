import { useEffect, useRef, useState } from "react";
import type { Problem } from "./api";
import { CallError } from "./call";
import { guard } from "./router";
import { session } from "./session";
import { tabStorage } from "./storage";
import { useStore } from "./store";
import { useWords } from "./words";

export type Values = Readonly<Record<string, string | boolean>>;

/** The values of a form, and what is wrong with them. */
export interface FormState<V extends Values> {
  readonly values: V;
  /** The faults by the field; those of no field are under "". */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Counts the refusals: after each, the first fault gets the focus. */
  readonly refusals: number;
  set<Name extends keyof V>(name: Name, value: V[Name]): void;
  setAll(values: V): void;
  /** Shows faults that the page found itself, by their fields; true if there are any. */
  refuse(faults: Readonly<Record<string, string>>): boolean;
  /** Shows the node's problems beside their fields; true if there are any. */
  show(problems: readonly Problem[]): boolean;
  /** Shows why a call failed. */
  fail(error: unknown): void;
  /** Forgets what is kept for a reload, once it was sent. */
  done(): void;
  /** Names a field that the screen has, in its order; Field calls it. */
  has(name: string): void;
}

/** The properties of each field: its form, and the name of its value. */
export interface FieldProps<V extends Values> {
  readonly form: FormState<V>;
  readonly name: keyof V & string;
}

type Called<V extends Values> = Readonly<Record<string, keyof V & string>>;

interface Options<V extends Values> {
  /** A name under which the values survive a reload, a lock and a sign-out of this tab. */
  readonly keep?: string;
  /** Fields that are never kept, such as passwords, and consents to something that can be another by then. */
  readonly secret?: readonly (keyof V)[];
  /** Other names that the node has for a field: its own name first, such as `{ "price.amount": "price" }`. They can depend on the values. */
  readonly called?: Called<V> | ((values: V) => Called<V>);
}

/** Forgets what an account has typed into forms of this tab, and the pictures that it has added there. */
export function forgetForms(account: string): void {
  tabStorage.forget(`stoa.form.${account}.`);
  tabStorage.forget(`stoa.pictures.${account}.`);
}

/** Makes the state of a form from its first values. */
export function useForm<V extends Values>(first: V, options: Options<V> = {}): FormState<V> {
  const words = useWords();
  // Of each account its own: another one that signs in on this tab does not see it.
  const owner = useStore(session)?.account.address ?? "";
  const place = options.keep === undefined ? null : `stoa.form.${owner}.${options.keep}`;
  const [values, setValues] = useState<V>(() => ({ ...first, ...kept<V>(place, first) }));
  const [faults, setFaults] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const [refusals, setRefusals] = useState(0);
  const fields = useRef(new Set<string>());
  const isChanged = useRef(false);
  // What a field sets after a wait, such as for a file, joins what was typed meanwhile.
  const latest = useRef(values);
  useEffect(() => guard(() => isChanged.current && place === null), [place]);

  function keep(next: V): void {
    isChanged.current = true;
    latest.current = next;
    setValues(next);
    if (place === null) return;
    const open = Object.entries(next).filter(([name]) => !(options.secret ?? []).includes(name));
    tabStorage.set(place, JSON.stringify(Object.fromEntries(open)));
  }

  function fieldOf(name: string): string {
    const names = typeof options.called === "function" ? options.called(values) : options.called;
    const called = names?.[name];
    if (called !== undefined) return called;
    for (let shown = name; shown !== ""; shown = shown.slice(0, Math.max(0, shown.lastIndexOf(".")))) {
      if (fields.current.has(shown)) return shown;
    }
    return "";
  }

  function put(found: readonly (readonly [string, string])[]): boolean {
    const map = new Map<string, string[]>();
    for (const [field, text] of found) {
      const shown = field === "" ? "" : fieldOf(field);
      map.set(shown, [...new Set([...(map.get(shown) ?? []), text])]);
    }
    setFaults(map);
    if (map.size > 0) setRefusals((count) => count + 1);
    return map.size > 0;
  }

  return {
    values, faults, refusals,
    has: (name) => void fields.current.add(name),
    set: (name, value) => {
      keep({ ...latest.current, [name]: value });
      if (faults.has(String(name))) setFaults(new Map([...faults].filter(([field]) => field !== name)));
    },
    setAll: keep,
    refuse: (found) => put(Object.entries(found)),
    show: (problems) => put(problems.map((one) => [one.field ?? "", words.problem(one)])),
    fail: (error) => {
      if (!(error instanceof CallError)) throw error;
      put([[error.problem?.field ?? "", words.failure(error)]]);
    },
    done: () => {
      isChanged.current = false;
      if (place !== null) tabStorage.set(place, null);
    },
  };
}

function kept<V extends Values>(place: string | null, first: V): Partial<V> {
  try {
    const found: unknown = JSON.parse((place === null ? null : tabStorage.get(place)) ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    const same = Object.entries(found).filter(([name, value]) => typeof value === typeof first[name]);
    return Object.fromEntries(same) as Partial<V>;
  } catch {
    return {};
  }
}
