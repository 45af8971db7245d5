import type { CallError } from "../call";
import { useWords } from "../words";
import { Button } from "./Button";
import { Notice } from "./Notice";

interface Props {
  readonly error: CallError;
  /** Tries again; without it the person can only read what happened. */
  readonly again?: () => void;
}

/** Why a call failed, in the reader's words, and a way to try again. */
export function Fault({ error, again }: Props) {
  const words = useWords();
  const { problem } = error;
  // The node's own English, of a fault that only the author of a program can mend.
  const isEnglish = problem !== null && problem.reason == null;
  return (
    <Notice kind="fault" isNews>
      <p>{words.failure(error)}</p>
      {isEnglish && <p className="small" lang="en">{problem.detail}</p>}
      {again && <p><Button isSmall onClick={again}>{words.say("page.tryAgain")}</Button></p>}
    </Notice>
  );
}
