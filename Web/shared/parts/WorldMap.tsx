import { useState, type PointerEvent } from "react";
import type { GeographicPoint } from "../api";
import { closer, closest, moved, onMap, pointAt, rectangle, worldView, zoomed, type MapView } from "../mapView";
import { nameOfTown, pointText, type ChosenPlace } from "../places";
import { useCall } from "../useCall";
import { useLastAnswer } from "../useLastAnswer";
import { useWords, type PlainCode } from "../words";
import { countries } from "../world";
import { Button } from "./Button";
import { Fault } from "./Fault";
import { Icon, type IconName } from "./Icon";

interface Props {
  readonly first: GeographicPoint | null;
  readonly onChoose: (place: ChosenPlace) => void;
}

/** From this zoom on, towns are drawn. */
const townsFrom = 16;
/** How far a button moves the point, as a part of the view. */
const move = 0.125;

const moves: readonly (readonly [PlainCode, IconName, number, number])[] = [
  ["page.mapWest", "back", -move, 0], ["page.mapNorth", "up", 0, -move], ["page.mapSouth", "down", 0, move], ["page.mapEast", "next", move, 0],
];

/** An outline map of the world, on which a point is chosen; the town nearest to it is named. */
export default function WorldMap({ first, onChoose }: Props) {
  const words = useWords();
  const [view, setView] = useState<MapView>(first === null ? worldView : { zoom: townsFrom, middle: first });
  const [point, setPoint] = useState(first);
  const asked = point === null ? null : { query: { near: pointText(point), lang: words.language, limit: 40 } };
  const found = useLastAnswer(useCall("GET /v1/places", asked));
  const [town] = found.answer ?? [];
  const { x, y, width, height } = rectangle(view);
  const dot = width / 110;

  function press(event: PointerEvent<SVGSVGElement>): void {
    const box = event.currentTarget.getBoundingClientRect();
    const pressed = pointAt(view, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    setPoint(pressed);
    if (view.zoom < closest) setView(zoomed(view, closer, pressed));
  }

  function go(across: number, down: number): void {
    // Without a point, the middle is one.
    const next = moved({ ...view, middle: point ?? view.middle }, point === null ? 0 : across, point === null ? 0 : down);
    setPoint(next.middle);
    setView(next);
  }

  return (
    <div className="stack">
      <p className="soft note">{words.say("page.mapHint")}</p>
      <svg className="world" viewBox={`${x} ${y} ${width} ${height}`} role="img" aria-label={words.say("page.mapOfWorld")} onPointerDown={press}>
        <path className="land" d={countries} vectorEffect="non-scaling-stroke" />
        {view.zoom >= townsFrom && found.answer?.map((one, index) => {
          const { x: left, y: top } = onMap(one.point);
          return <circle key={pointText(one.point)} className={index === 0 ? "town nearest" : "town"} cx={left} cy={top} r={dot / 2} />;
        })}
        {point !== null && <circle className="point" cx={onMap(point).x} cy={onMap(point).y} r={dot} vectorEffect="non-scaling-stroke" />}
      </svg>
      <div className="beside">
        {moves.map(([name, icon, across, down]) => (
          <Button key={name} className="round" aria-label={words.say(name)} onClick={() => go(across, down)}><Icon name={icon} /></Button>
        ))}
        <Button className="round" aria-label={words.say("page.mapCloser")} onClick={() => setView(zoomed(view, 2, point ?? view.middle))}>
          <Icon name="sell" />
        </Button>
        <Button className="round" aria-label={words.say("page.mapFarther")} onClick={() => setView(zoomed(view, 0.5, point ?? view.middle))}>
          <Icon name="minus" />
        </Button>
      </div>
      {found.error !== null && <Fault error={found.error} />}
      <p role="status">{town !== undefined && words.say("page.nearestTown", { place: nameOfTown(town) })}</p>
      {town !== undefined && point !== null && (
        <div className="beside">
          <Button look="main" onClick={() => onChoose({ name: nameOfTown(town), point: town.point })}>{words.say("page.useTown")}</Button>
          <Button onClick={() => onChoose({ name: nameOfTown(town), point })}>{words.say("page.usePoint")}</Button>
        </div>
      )}
    </div>
  );
}
