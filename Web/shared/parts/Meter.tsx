import { useWords } from "../words";
import { Time } from "./Time";

export interface MeterStep {
  readonly name: string;
  /** When it was reached. */
  readonly at?: string | undefined;
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
          {step.at !== undefined && <span className="meter-time"><Time at={step.at} as="day" /></span>}
        </li>
      ))}
    </ol>
  );
}
