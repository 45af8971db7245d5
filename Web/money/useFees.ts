import { useState } from "react";
import type { ActionPreview } from "../shared/api";
import type { Arguments } from "../shared/call";
import type { FeeSpeed } from "../shared/parts/FeeField";
import type { Reading } from "../shared/readings";
import { useCall } from "../shared/useCall";
import type { PreviewName } from "../shared/usePreview";

/** The same preview at three prices of the fee, one of them chosen. */
export interface Fees {
  readonly speed: FeeSpeed;
  readonly choose: (speed: FeeSpeed) => void;
  /** The preview at the chosen price. */
  readonly of: Reading<ActionPreview> & { again(): void };
  /** The highest fee at each price, once it is known. */
  readonly amounts: Readonly<Record<FeeSpeed, string | null>>;
  readonly chain: number | undefined;
}

/** Reads a preview at the usual price first, then at the two others. */
export function useFees<Name extends PreviewName>(name: Name, given: Omit<Arguments<Name>, "query" | "signal">): Fees {
  const [speed, choose] = useState<FeeSpeed>("normal");
  const at = (feeSpeed: FeeSpeed) => ({ ...given, query: { feeSpeed } }) as unknown as Arguments<PreviewName>;
  const normal = useCall<PreviewName>(name, at("normal"));
  const isPossible = normal.answer !== null && normal.answer.problems.length === 0;
  const slow = useCall<PreviewName>(name, isPossible ? at("slow") : null);
  const fast = useCall<PreviewName>(name, isPossible ? at("fast") : null);
  const all = { slow, normal, fast };
  const amount = (one: FeeSpeed): string | null => all[one].answer?.feeMax ?? null;
  return {
    speed, choose, of: all[speed], chain: normal.answer?.chain ?? undefined,
    amounts: { slow: amount("slow"), normal: amount("normal"), fast: amount("fast") },
  };
}
