import type { Rounding } from "../money";
import { useWords } from "../words";

interface Props {
  readonly amount: string;
  readonly currency: string;
  /** The chain of the currency; without it, the node's only one. */
  readonly chain?: number | undefined;
  /** Up for what is paid or risked, down for what is gained, whole where it is signed. */
  readonly rounding?: Rounding;
}

/** An amount with its unit. */
export function Money({ amount, currency, chain, rounding }: Props) {
  const words = useWords();
  const shown = words.money(amount, currency, chain, rounding);
  const whole = words.money(amount, currency, chain, "whole");
  return <span className="numbers" title={whole === shown ? undefined : whole}>{shown}</span>;
}
