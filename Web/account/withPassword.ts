import { CallError } from "../shared/call";
import type { FormState, Values } from "../shared/useForm";
import type { Words } from "../shared/words";

/** Makes calls that take the password; a wrong one is said beside its field. Returns whether they were made. */
export async function withPassword<V extends Values>(form: FormState<V>, words: Words, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const problem = error instanceof CallError ? error.problem : null;
    if (problem?.code !== "wrong_password") throw error;
    form.refuse({ password: words.problem(problem) });
    return false;
  }
}
