import { useEffect, useState } from "react";
import { CallError } from "../shared/call";
import { begin, isUnknown, type Intent } from "../shared/intents";
import { Button } from "../shared/parts/Button";
import { Meter } from "../shared/parts/Meter";
import { Notice } from "../shared/parts/Notice";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import { useWords } from "../shared/words";
import { firstSteps } from "./operationWords";

interface Props {
  readonly intentKey: string;
  readonly intent: Intent;
}

/** Asks the node to begin what somebody agreed to, and says so from the first moment, also after a reload. */
export function BeginningOperation({ intentKey, intent }: Props) {
  const words = useWords();
  const [error, setError] = useState<CallError | null>(null);
  const [tries, setTries] = useState(1);

  useEffect(() => {
    let isShown = true;
    begin(intentKey, intent).then(
      ({ id }) => {
        if (isShown) go(`/operations/${id}`, "replace");
      },
      (fault: unknown) => setError(fault instanceof CallError ? fault : new CallError(null, true)),
    );
    return () => {
      isShown = false;
    };
  }, [intentKey, intent, tries]);

  function again(): void {
    setError(null);
    setTries(tries + 1);
  }

  const isOpen = error !== null && isUnknown(error);
  const steps = firstSteps(words).map((step) => (error !== null && !isOpen && step.state === "now" ? { ...step, state: "failed" as const } : step));
  return (
    <div className="stack measure">
      <Title text={words.say("page.beginning")} />
      <Meter name={words.say("page.progress")} steps={steps} />
      {error === null && <p className="soft" role="status">{words.say("page.beginningWhy")}</p>}
      {error !== null && (
        <Notice kind={isOpen ? "warn" : "fault"} isNews>
          <p>{words.failure(error)}</p>
          <p>{words.say(isOpen ? "page.beginUnknown" : "page.nothingMoved")}</p>
          <div className="beside">
            <Button isSmall onClick={again}>{words.say("page.tryAgain")}</Button>
            {!isOpen && <Button isSmall onClick={() => go(intent.back, "replace")}>{words.say("page.back")}</Button>}
          </div>
        </Notice>
      )}
    </div>
  );
}
