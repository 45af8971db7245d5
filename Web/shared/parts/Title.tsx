import { useEffect, useRef, type ReactNode } from "react";
import { usePlace } from "../router";

interface Props {
  /** The words, also for the browser's tab. */
  readonly text: string;
  /** Beside it, such as an action. */
  readonly children?: ReactNode;
}

let isFirst = true;

/** The heading of a screen. It names the tab, and takes the focus when the person came from another screen. */
export function Title({ text, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { visit } = usePlace();
  useEffect(() => {
    document.title = `${text} · Stoa`;
  }, [text]);
  useEffect(() => {
    const focused = document.activeElement;
    if (!isFirst && (focused === null || focused === document.body || focused.closest(".main") === null)) {
      heading.current?.focus({ preventScroll: true });
    }
    isFirst = false;
  }, [visit]);
  return (
    <div className="beside apart">
      <h1 ref={heading} tabIndex={-1}><bdi>{text}</bdi></h1>
      {children}
    </div>
  );
}
