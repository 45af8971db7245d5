import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

/** Instead of a list without entries: why it has none, and what to do. */
export function Empty({ icon, title, children }: { readonly icon: IconName; readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
