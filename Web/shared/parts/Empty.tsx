import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

interface Props {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Instead of a list without entries: why it has none, and what to do. */
export function Empty({ icon, title, children }: Props) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
