import { useWords } from "../words";

export interface MeterStep {
  readonly name: string;
  readonly state: "done" | "now" | "later" | "failed";
}

/** How far a sale or an operation has come. */
export function Meter({ name, steps }: { readonly name: string; readonly steps: readonly MeterStep[] }) {
  const words = useWords();
  const said = { done: "page.stepDone", now: "page.stepNow", later: "page.stepLater", failed: "page.stepFailed" } as const;
  return (
    <ol className="meter" aria-label={name}>
      {steps.map((step, index) => (
        // The same step can come twice.
        // eslint-disable-next-line react/no-array-index-key
        <li key={`${index} ${step.name}`} className={step.state} aria-current={step.state === "now" ? "step" : undefined}>
          {step.name} <span className="unseen">{words.say(said[step.state])}</span>
        </li>
      ))}
    </ol>
  );
}
