import { session } from "./session";
import { store } from "./store";

/** The question for the password that is open; null if none is. */
export const question = store<((isConfirmed: boolean) => void) | null>(null);

let open: Promise<boolean> | null = null;
let confirmed = 0;

// The question is for one account: with another one, or none, nobody answers it.
session.watch(() => question.get()?.(false));

/** How often the password was given again in this tab. */
export function confirmations(): number {
  return confirmed;
}

/** Asks for the password, which the node wants before money moves. Resolves to false if the person gives up. */
export function askPassword(): Promise<boolean> {
  // Several calls at once cost one question.
  open ??= new Promise<boolean>((done) => {
    question.set((isConfirmed) => {
      question.set(null);
      open = null;
      if (isConfirmed) confirmed += 1;
      done(isConfirmed);
    });
  });
  return open;
}
