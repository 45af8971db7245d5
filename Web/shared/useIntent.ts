import { useRef } from "react";
import { CallError, newKey } from "./call";
import { isUnknown } from "./intents";
import { session } from "./session";
import { tabStorage } from "./storage";

/** Does something once, however often it is asked for. */
export type Intent = <Answer>(act: (key: string) => Promise<Answer>) => Promise<Answer>;

/** Problems of a later try, which leave it open whether an earlier one with the key has begun something. */
const open: readonly string[] = ["idempotency_key_reused", "in_progress", "password_needed", "sign_in_needed"];

/**
 * Gives a call the key of one intent: the same for each try, also after a reload, until the node has begun it or refused it.
 *
 * It is for a form, which makes its call itself and shows faults beside its fields; `launch` leaves the screen instead.
 *
 * `name` tells the intents of an account apart, such as 'buy' and the listing.
 */
export function useIntent(name: string): Intent {
  const made = useRef<string | null>(null);
  return async (act) => {
    const place = `stoa.key.${session.get()?.account.address ?? ""}.${name}`;
    const key = made.current ?? tabStorage.get(place) ?? newKey();
    made.current = key;
    tabStorage.set(place, key);
    const end = (): void => {
      made.current = null;
      tabStorage.set(place, null);
    };
    try {
      const answer = await act(key);
      end();
      return answer;
    } catch (error) {
      if (error instanceof CallError && error.problem !== null && !isUnknown(error) && !open.includes(error.problem.code)) end();
      throw error;
    }
  };
}
