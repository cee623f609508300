import { shares } from './shares.ts';

/** A seat in a half disc of radius 1: x from -1 (left) to 1 (right), y from 0 (the base) to 1 (the top). */
export type Seat = { x: number; y: number };

const innerRadius = 0.4; // of the ring, whose outer radius is 1

/** Places `count` seats on the rows of a half ring; returns them by angle, from left to right, with `spacing`. */
export function createHemicycle(count: number) {
  const radii = rowRadii(count);
  const rowSizes = shares(radii, count);
  const seats = rowSizes.flatMap((size, row) =>
    Array.from({ length: size }, (_, at) => ({ arcFraction: size === 1 ? 0.5 : at / (size - 1), radius: radii[row]! })),
  );
  const orderedSeats = seats.sort((a, b) => a.arcFraction - b.arcFraction || b.radius - a.radius);
  const seatGaps = radii.map((radius, row) => (rowSizes[row]! > 1 ? (Math.PI * radius) / (rowSizes[row]! - 1) : 1));
  const rowGap = radii.length > 1 ? radii[1]! - radii[0]! : 1 - innerRadius;
  return {
    seats: orderedSeats.map(({ arcFraction, radius }) => seatAt(Math.PI * arcFraction, radius)),
    /** Smallest distance between rows or neighbours, in the unit of `Seat`; discs of half that radius do not touch. */
    spacing: Math.min(rowGap, ...seatGaps),
  };
}

const seatAt = (angle: number, radius: number): Seat => ({ x: -radius * Math.cos(angle), y: radius * Math.sin(angle) });

/** Returns the radii of the fewest rows that have room for `count` seats, from the inside; the outermost is 1. */
function rowRadii(count: number): number[] {
  for (let rows = 1; ; rows += 1) {
    const spacing = rows === 1 ? 1 - innerRadius : (1 - innerRadius) / (rows - 1);
    const radii = Array.from({ length: rows }, (_, row) => 1 - spacing * (rows - 1 - row));
    const capacity = radii.reduce((sum, radius) => sum + Math.floor((Math.PI * radius) / spacing) + 1, 0);
    if (capacity >= count) return radii;
  }
}

/** A cell in a grid of characters, counted from the top left. */
export type Cell = { column: number; line: number };

const characterHeight = 2; // relative to its width

/** Returns cells for `count` marks in a half ring of characters, from left to right; null if none fit. */
export function hemicycleCells(count: number, columns: number): Cell[] | null {
  if (count <= 0) return null;
  for (let width = 8; width <= columns; width += 2) {
    const ring = discCells(width).filter(({ radius }) => radius >= innerRadius);
    if (ring.length < count) continue;
    // Surplus cells are removed from the inside, so that the outline stays round.
    ring.sort((a, b) => b.radius - a.radius || Math.abs(b.offsetX) - Math.abs(a.offsetX));
    const retainedCells = ring.slice(0, count);
    const top = Math.min(...retainedCells.map(({ line }) => line));
    return retainedCells
      .sort((a, b) => a.arcFraction - b.arcFraction || b.radius - a.radius)
      .map(({ column, line }) => ({ column, line: line - top }));
  }
  return null;
}

/** Returns the character cells of a half disc, with their position relative to its centre. */
function discCells(width: number) {
  const halfWidth = width / 2;
  const lines = Math.round(halfWidth / characterHeight);
  const cells = Array.from({ length: lines * width }, (_, at) => {
    const column = at % width;
    const line = Math.floor(at / width);
    const offsetX = (column + 0.5 - halfWidth) / halfWidth;
    const offsetY = ((lines - line - 0.5) * characterHeight) / halfWidth;
    const radius = Math.hypot(offsetX, offsetY);
    return { column, line, offsetX, radius, arcFraction: Math.atan2(offsetY, -offsetX) / Math.PI };
  });
  return cells.filter(({ radius }) => radius <= 1.01); // tolerates rounding at the rim
}
