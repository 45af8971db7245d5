// Parts of browsers that TypeScript 4.8 does not know yet.

import "react";

declare module "react" {
  interface HTMLAttributes<T> {
    /** Shows the element above all others until Escape or a click elsewhere. */
    popover?: "auto" | "manual" | undefined;
    popovertarget?: string | undefined;
    inert?: "" | undefined;
  }
}

declare global {
  interface HTMLElement {
    showPopover(): void;
    hidePopover(): void;
  }
}
