import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

interface Props {
  readonly kind?: "plain" | "good" | "warn" | "fault";
  readonly children: ReactNode;
  /** Whether a screen reader says it when it appears. */
  readonly isNews?: boolean;
}

const icons: Readonly<Record<NonNullable<Props["kind"]>, IconName>> = { plain: "info", good: "check", warn: "warn", fault: "warn" };

/** Something to know beside what the screen shows. */
export function Notice({ kind = "plain", children, isNews = false }: Props) {
  const role = isNews ? (kind === "fault" ? "alert" : "status") : undefined;
  return (
    <div className={`notice${kind === "plain" ? "" : ` ${kind}`}`} role={role}>
      <Icon name={icons[kind]} />
      <div className="stack close">{children}</div>
    </div>
  );
}
