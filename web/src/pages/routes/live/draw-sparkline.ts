/** Room for the thickness of the line and the point at its end. */
const MARGIN = 4;
/** How exactly a value is placed between the least and the most. */
const STEPS = 10_000n;

/** A line through values, with its ends. */
export interface SparklineShape {
  readonly path: string;
  readonly last: { readonly x: number; readonly y: number };
  readonly least: bigint;
  readonly most: bigint;
}

/** Draws values as a line that fills a box. Values that are all the same make a line in its middle. */
export function drawSparkline(values: readonly bigint[], width: number, height: number): SparklineShape {
  const sorted = [...values].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const [least = 0n, most = least] = [sorted[0], sorted.at(-1)];
  const toX = (index: number) =>
    values.length < 2 ? width - MARGIN : MARGIN + (index * (width - 2 * MARGIN)) / (values.length - 1);
  const toY = (value: bigint) => {
    const share = most === least ? 0.5 : Number(((value - least) * STEPS) / (most - least)) / Number(STEPS);
    return height - MARGIN - share * (height - 2 * MARGIN);
  };
  const points = values.map((value, index) => ({ x: toX(index), y: toY(value) }));
  return {
    path: points
      .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
      .join(''),
    last: points.at(-1) ?? { x: width - MARGIN, y: height / 2 },
    least,
    most,
  };
}
