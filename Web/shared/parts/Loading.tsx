import { useEffect, useState } from "react";
import { useWords } from "../words";
import { Button } from "./Button";
import { Notice } from "./Notice";

/** When waiting becomes a fault, in milliseconds. */
const bound = 25_000;

/** Shown while something is read; only its room at first, and after a bound a way to try again. */
export function Loading({ again }: { readonly again?: () => void }) {
  const words = useWords();
  const [phase, setPhase] = useState<"short" | "long" | "late">("short");
  useEffect(() => {
    const timers = [window.setTimeout(() => setPhase("long"), 250), window.setTimeout(() => setPhase("late"), bound)];
    return () => timers.forEach(window.clearTimeout);
  }, []);
  if (phase === "short") return <div className="loading short" />;
  if (phase === "long") return <div className="loading" role="status">{words.say("page.loading")}</div>;
  return (
    <Notice kind="fault" isNews>
      <p>{words.say("page.takesTooLong")}</p>
      <p><Button isSmall onClick={again ?? (() => window.location.reload())}>{words.say("page.tryAgain")}</Button></p>
    </Notice>
  );
}
