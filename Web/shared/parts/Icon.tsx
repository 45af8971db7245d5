const shapes = {
  home: "M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5M10 20v-6h4v6",
  search: "M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM16.2 16.2 21 21",
  sell: "M12 5v14M5 12h14",
  trade: "M4 8h14l-3.5-3.5M20 16H6l3.5 3.5",
  wallet: "M4 7.5h14.5A1.5 1.5 0 0 1 20 9v9.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5zM4 7.5 15.5 4v3.5M16 13.75h.01",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.7-4 3.7-6 7.5-6s6.800 2 7.500 6",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 2.500-2.500L20 17M15.500 9h.01",
  heart: "M12 20S4 15 4 9.300A4.300 4.300 0 0 1 12 7a4.300 4.300 0 0 1 8 2.300C20 15 12 20 12 20z",
  star: "M12 3.500l2.600 5.400 5.900.8-4.300 4.100 1 5.900-5.200-2.800-5.200 2.800 1-5.900L3.500 9.700l5.900-.8z",
  close: "M6 6l12 12M18 6 6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  back: "M14.500 5.500 8 12l6.500 6.500",
  next: "M9.500 5.500 16 12l-6.500 6.500",
  up: "M5.500 14.500 12 8l6.500 6.500",
  down: "M5.500 9.500 12 16l6.500-6.500",
  minus: "M5 12h14",
  check: "M5 12.500 10 17.500 19.500 7",
  warn: "M12 4 2.800 20h18.400zM12 10v4.500M12 17.300h.01",
  info: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 11v5.500M12 7.700h.01",
  filter: "M4 7h16M7 12h10M10 17h4",
  clock: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 7v5.300l3.500 2",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM9 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  share: "M12 15V4M8 7.500 12 3.500l4 4M6 11v9h12v-9",
  tag: "M4 4h8l8.500 8.500-8 8L4 12zM8.500 8.500h.01",
  cart: "M3.500 4.500H6l2.200 10.500h9L19.500 8H6.800M9.500 19.500h.01M16 19.500h.01",
  course: "M12 6.500C10 5 7 4.500 4 4.500v13.500c3 0 6 .500 8 2 2-1.500 5-2 8-2V4.500c-3 0-6 .500-8 2zM12 6.500V20",
  download: "M12 4v11M7 10.500l5 5 5-5M5 20h14",
} as const;

export type IconName = keyof typeof shapes;

/** A drawing beside words; it has no name of its own. */
export function Icon({ name, isFilled = false }: { readonly name: IconName; readonly isFilled?: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" fill={isFilled ? "currentColor" : "none"} stroke="currentColor"
      strokeWidth={1.7} strokeLinecap="round" strokeLinejoin="round">
      <path d={shapes[name]} />
    </svg>
  );
}
