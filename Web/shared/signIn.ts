import { call, CallError } from "./call";
import { beginSession, endSession, session } from "./session";
import { forgetForms } from "./useForm";

/** Signs in on this tab. Throws a {@link CallError}. */
export async function signIn(account: string, password: string): Promise<void> {
  // Without the token of a session that has ended, such as by a new password.
  beginSession(await call("POST /v1/sessions", { body: { account, password, isPage: true } }, "nobody"));
}

/** Ends the session, and keeps what was typed into forms of this tab until the account signs in again. */
export function lock(): Promise<void> {
  return end(false);
}

/** Ends the session, or each one of the account on this node, and forgets what was typed into forms of this tab. */
export async function signOut(isEverywhere = false): Promise<void> {
  const account = session.get()?.account.address;
  const told = end(isEverywhere);
  if (account !== undefined) forgetForms(account);
  await told;
}

/** Ends the session on the node and in each tab that has it. */
async function end(isEverywhere: boolean): Promise<void> {
  // The call has its token from its beginning. The session ends here before the node closes its socket, which would
  // look like an end by itself.
  const told = call("DELETE /v1/sessions/current", isEverywhere ? { query: { everySession: true } } : {});
  endSession("left");
  try {
    await told;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // A node that is away forgets the session by itself; here it ends in any case.
  }
}
