import { Title } from "../shared/parts/Title";
import { useWords } from "../shared/words";

const works = [
  ["React 18.2", "https://react.dev", "Copyright (c) Facebook, Inc. and its affiliates."],
  ["QR Code Generator 1.4.4", "http://www.d-project.com/", "Copyright (c) 2009 Kazuhiko Arase"],
] as const;

const data = [
  ["GeoNames", "https://www.geonames.org", "page.licenceTowns", "https://creativecommons.org/licenses/by/4.0/"],
  ["Natural Earth", "https://www.naturalearthdata.com", "page.licenceMap", null],
] as const;

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated \
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the \
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit \
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the \
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE \
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR \
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR \
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The works of others in the page, with their licence. */
export default function Licences() {
  const words = useWords();
  return (
    <div className="stack measure">
      <Title text={words.say("page.licences")} />
      <p className="soft">{words.say("page.licencesWhy")}</p>
      <ul className="stack" lang="en">
        {works.map(([name, address, copyright]) => (
          <li key={name}>
            <h2>{name}</h2>
            <p className="note">{copyright}</p>
            <p className="note address">{address}</p>
          </li>
        ))}
      </ul>
      <p className="lines small soft" lang="en">{mit}</p>
      <ul className="stack">
        {data.map(([name, address, code, licence]) => (
          <li key={name}>
            <h2 lang="en">{name}</h2>
            <p className="note">{words.say(code)}</p>
            <p className="note address">{address}</p>
            {licence !== null && <p className="note address">{licence}</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}
