import type { ReactNode } from "react";
import type { Reading } from "../readings";
import { Fault } from "./Fault";
import { Loading } from "./Loading";

interface Props<Answer> {
  readonly of: Reading<Answer> & { again(): void };
  readonly children: (answer: Answer) => ReactNode;
}

/** An answer, or that it is being read, or why it could not be. An earlier answer stays beside a fault. */
export function Shown<Answer>({ of, children }: Props<Answer>) {
  if (of.answer === null) return of.error === null ? <Loading again={of.again} /> : <Fault error={of.error} again={of.again} />;
  return <>{of.error !== null && <Fault error={of.error} again={of.again} />}{children(of.answer)}</>;
}
