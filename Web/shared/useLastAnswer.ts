import { useState } from "react";
import type { Reading } from "./readings";

/** A reading that shows the last answer to another question until there is one to this question, or an error. */
export function useLastAnswer<Answer, R extends Reading<Answer>>(reading: R & Reading<Answer>): R {
  const [last, setLast] = useState<Answer | null>(reading.answer);
  if (reading.answer !== null && reading.answer !== last) setLast(reading.answer);
  return reading.answer === null && reading.error === null ? { ...reading, answer: last } : reading;
}
