import qrcode from "qrcode-generator";
import { useMemo } from "react";
import { useWords } from "../words";

/** The light edge around a code, in modules; readers need four. */
const edge = 4;
/** The most bytes that a code holds: of version 40 with the level of correction M. */
const lengthMax = 2_331;

qrcode.stringToBytes = (text) => [...new TextEncoder().encode(text)];

/** The dark modules of a text's code as one path, and the length of a side; null for a text that is too long. */
function drawn(text: string): { readonly path: string; readonly side: number } | null {
  if (new TextEncoder().encode(text).length > lengthMax) return null;
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = "";
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (!code.isDark(row, column)) continue;
      const first = column;
      while (column + 1 < count && code.isDark(row, column + 1)) column++;
      path += `M${first + edge} ${row + edge}h${column - first + 1}v1h-${column - first + 1}z`;
    }
  }
  return { path, side: count + 2 * edge };
}

/** A text as a QR code, dark on light in every theme; nothing for a text that no code holds. */
export function QRCode({ text }: { readonly text: string }) {
  const words = useWords();
  const code = useMemo(() => drawn(text), [text]);
  if (code === null) return null;
  return (
    <svg className="code" viewBox={`0 0 ${code.side} ${code.side}`} role="img" aria-label={words.say("page.qrCode", { text })}
      shapeRendering="crispEdges">
      <path d={code.path} />
    </svg>
  );
}
