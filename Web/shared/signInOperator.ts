import { call, CallError } from "./call";
import { beginOperator, endOperator, isLinkOver, takeCode } from "./operator";
import { tellSignIn } from "./session";

/** Opens the operator's session on this tab if a link for that was opened; its code is of use once. */
export async function signInOperator(): Promise<void> {
  const code = takeCode();
  if (code === null) return;
  endOperator();
  isLinkOver.set(false);
  try {
    beginOperator(await call("POST /v1/sessions/operator", { body: { code } }, "nobody"));
    tellSignIn();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    isLinkOver.set(true);
  }
}

/** Ends the operator's session on the node and here. */
export async function signOutOperator(): Promise<void> {
  // The call has its token from its beginning.
  const told = call("DELETE /v1/sessions/current", {}, "operator");
  endOperator();
  try {
    await told;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // A node that is away forgets the session by itself.
  }
}
