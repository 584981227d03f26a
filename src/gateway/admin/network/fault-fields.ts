import { Type } from 'typebox';

/** The statuses of `FaultStatus`. */
export function faultStatus(description: string) {
  return Type.Union(
    [Type.Literal(429), Type.Literal(500), Type.Literal(502), Type.Literal(503), Type.Literal(504)],
    { description },
  );
}

/** @param max - Milliseconds. */
export function faultDelay(max: number) {
  return Type.Integer({ minimum: 0, maximum: max });
}

/** @param struck - The noun for what is struck, such as `Calls`. */
export function faultCount(struck: string) {
  return Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: `${struck} that are struck; 1 when absent.`,
  });
}
