/** How many rows one statement writes or reads: databases bound its parameters. */
const ROWS_TOGETHER = 200;

/** Splits rows into pieces that one statement can write or read. */
export function splitRows<Row>(rows: readonly Row[]): readonly Row[][] {
  const pieces: Row[][] = [];
  for (let at = 0; at < rows.length; at += ROWS_TOGETHER) pieces.push(rows.slice(at, at + ROWS_TOGETHER));
  return pieces;
}
