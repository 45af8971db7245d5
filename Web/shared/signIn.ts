import { call, CallError } from "./call";
import { beginSession, endSession } from "./session";

/** Signs in on this tab. Throws a {@link CallError}. */
export async function signIn(account: string, password: string): Promise<void> {
  beginSession(await call("POST /v1/sessions", { body: { account, password, isPage: true } }));
}

/** Ends the session on the node and in each tab that has it; what was typed into forms stays in this tab. */
export async function signOut(isEverywhere = false): Promise<void> {
  try {
    await call("DELETE /v1/sessions/current", isEverywhere ? { query: { everySession: true } } : {});
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // A node that is away forgets the session by itself; here it ends in any case.
  }
  endSession("left");
}
