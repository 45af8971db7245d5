import { useEffect, useState } from "react";

/** A value once it has not changed for a moment, so that typing does not cost a call for each letter. */
export function useSettled<Value>(value: Value, milliseconds = 350): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState({ text, value });
  useEffect(() => {
    if (text === settled.text) return;
    const timer = window.setTimeout(() => setSettled({ text, value: JSON.parse(text) as Value }), milliseconds);
    return () => window.clearTimeout(timer);
  }, [text, settled.text, milliseconds]);
  return settled.value;
}
