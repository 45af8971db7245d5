import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { go } from "../router";

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** A path of the page. */
  readonly to: string;
}

/** A link to another screen, which the browser can open elsewhere as well. */
export function Link({ to, onClick, children, ...rest }: Props) {
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  }
  return <a {...rest} href={to} onClick={follow}>{children}</a>;
}
