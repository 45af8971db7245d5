import type { GeographicPoint } from "./api";

/** The map in steps of a quarter of a degree, from 180° west and 90° north. */
export const steps = 4;
const whole = { width: 360 * steps, top: 6 * steps, height: 142 * steps };
/** How much closer the map can come; each click takes it so much closer. */
export const closest = 64;
export const closer = 4;

/** A part of the map. */
export interface MapView {
  readonly zoom: number;
  readonly middle: GeographicPoint;
}

export const worldView: MapView = { zoom: 1, middle: { latitude: 20, longitude: 0 } };

/** The rectangle of a view, within the map. */
export function rectangle({ zoom, middle }: MapView): { x: number; y: number; width: number; height: number } {
  const width = whole.width / zoom;
  const height = whole.height / zoom;
  const { x, y } = onMap(middle);
  return {
    x: within(x - width / 2, 0, whole.width - width), width, height,
    y: within(y - height / 2, whole.top, whole.top + whole.height - height),
  };
}

/** Where a point stands on the map. */
export function onMap({ latitude, longitude }: GeographicPoint): { x: number; y: number } {
  return { x: (longitude + 180) * steps, y: (90 - latitude) * steps };
}

/** The point at a part of a view's width and height, from 0 to 1, to a hundredth of a degree. */
export function pointAt(view: MapView, across: number, down: number): GeographicPoint {
  const { x, y, width, height } = rectangle(view);
  return {
    latitude: hundredths(within(90 - (y + down * height) / steps, -90, 90)),
    longitude: hundredths(within((x + across * width) / steps - 180, -180, 180)),
  };
}

/** The view with its point moved by parts of its width and height. */
export function moved(view: MapView, across: number, down: number): MapView {
  return { ...view, middle: pointAt(view, 0.5 + across, 0.5 + down) };
}

/** The view so many times closer, around a point. */
export function zoomed(view: MapView, times: number, middle: GeographicPoint): MapView {
  return { zoom: within(view.zoom * times, 1, closest), middle };
}

function within(number: number, least: number, most: number): number {
  return Math.min(Math.max(number, least), most);
}

function hundredths(number: number): number {
  return Math.round(number * 100) / 100;
}
