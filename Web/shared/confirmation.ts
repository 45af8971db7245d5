import { store } from "./store";

/** The question for the password that is open; null if none is. */
export const question = store<((isConfirmed: boolean) => void) | null>(null);

let open: Promise<boolean> | null = null;

/** Asks for the password, which the node wants before money moves. Resolves to false if the person gives up. */
export function askPassword(): Promise<boolean> {
  // Several calls at once cost one question.
  open ??= new Promise<boolean>((done) => {
    question.set((isConfirmed) => {
      question.set(null);
      open = null;
      done(isConfirmed);
    });
  });
  return open;
}
