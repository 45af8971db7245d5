import { guard } from "../shared/router";
import { session } from "../shared/session";
import { store } from "../shared/store";

/** A new account whose recovery phrase is not proved yet. It is only in this page's memory. */
export interface Newcomer {
  readonly name: string;
  readonly password: string;
  readonly phrase: readonly string[];
}

/** Stays while the person looks at other screens; a reload forgets it, so the browser asks first. */
export const newcomer = store<Newcomer | null>(null);

// Another account of this tab must not see it.
session.watch(() => {
  const name = session.get()?.account.name;
  if (name !== undefined && name !== newcomer.get()?.name) newcomer.set(null);
});

guard(() => newcomer.get() !== null);
