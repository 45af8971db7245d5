import type { ButtonHTMLAttributes } from "react";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The look: the one main action of a screen, a quiet one, one that destroys, or one without an edge. */
  readonly look?: "main" | "quiet" | "danger" | "bare";
  readonly isSmall?: boolean;
  readonly isFull?: boolean;
  /** While it works, a click does nothing, and the focus stays. */
  readonly isBusy?: boolean;
}

const looks = { main: " main-action", quiet: "", danger: " danger", bare: " bare" } as const;

export function Button({ look = "quiet", isSmall = false, isFull = false, isBusy = false, onClick, ...rest }: Props) {
  const classes = `button${looks[look]}${isSmall ? " small" : ""}${isFull ? " full" : ""}`;
  return (
    // The type stands before the rest, so that a form's own button can be of another one.
    <button type="button" {...rest} className={`${classes} ${rest.className ?? ""}`.trim()} aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }} />
  );
}
