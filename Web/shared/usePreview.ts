import type { ActionPreview, Calls } from "./api";
import { call, type Arguments, type CallName } from "./call";
import type { Reading } from "./readings";
import { useCall, type Refresh } from "./useCall";
import { useLastAnswer } from "./useLastAnswer";
import { useSettled } from "./useSettled";

/** The calls that show what something would do. */
export type PreviewName = { [Name in CallName]: Calls[Name] extends { answer: ActionPreview } ? Name : never }[CallName];

/** The preview of what a form says. */
export interface FormPreview extends Reading<ActionPreview> {
  again(): void;
  /** Whether what is shown is not that of the present values, so that nobody signs what was not shown. */
  readonly isWaiting: boolean;
  /** The preview of the present values that is shown. Null if there is none: it is then read again, or throws why it cannot be. */
  shown(): Promise<ActionPreview | null>;
}

/** The preview of what a form says, once nothing is typed for a moment. The last one stays until there is another. */
export function usePreview<Name extends PreviewName>(
  name: Name, asked: Arguments<Name> | null, refresh: Refresh, milliseconds?: number,
): FormPreview {
  const settled = useSettled(asked, milliseconds);
  const reading: Reading<ActionPreview> & { again(): void } = useCall(name, settled, refresh);
  const { answer, error, again } = reading;
  const isWaiting = asked !== null && !((answer !== null || error !== null) && JSON.stringify(settled) === JSON.stringify(asked));

  async function shown(): Promise<ActionPreview | null> {
    if (!isWaiting && answer !== null && error === null) return answer;
    if (asked !== null) await call(name, asked);
    again();
    return null;
  }

  return { ...useLastAnswer(reading), isWaiting, shown };
}
