import type { Arguments, CallName } from "./call";
import { useCall, type Refresh } from "./useCall";
import { useLastAnswer } from "./useLastAnswer";
import { useSettled } from "./useSettled";

/**
 * The preview of what a form says, once nothing is typed for a moment.
 *
 * The last one stays until there is another; `isWaiting` says that it is not that of the present values, so that nobody signs
 * what was not shown.
 */
export function usePreview<Name extends CallName>(name: Name, asked: Arguments<Name> | null, refresh: Refresh, milliseconds?: number) {
  const settled = useSettled(asked, milliseconds);
  const reading = useCall(name, settled, refresh);
  const isRead = reading.answer !== null || reading.error !== null;
  const isWaiting = asked !== null && !(isRead && JSON.stringify(settled) === JSON.stringify(asked));
  return { ...useLastAnswer(reading), isWaiting };
}
