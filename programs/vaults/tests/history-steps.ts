import fc from 'fast-check';

/** The users other than the owner of the first position. */
export const USERS = 4;

const KINDS = {
  open: 5,
  stack: 5,
  change: 4,
  repay: 2,
  leave: 2,
  rise: 5,
  fall: 3,
  time: 2,
  liquidate: 8,
} as const;

/** One event in the history of a vault. The meaning of the numbers depends on the kind. */
export interface Step {
  readonly kind: keyof typeof KINDS;
  readonly user: number;
  /** In 10,000ths. */
  readonly share: bigint;
  readonly otherShare: bigint;
  readonly choice: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    ...Object.entries(KINDS).map(([name, weight]) => ({
      weight,
      arbitrary: fc.constant(name as keyof typeof KINDS),
    })),
  ),
  user: fc.nat(USERS - 1),
  share: fc.bigInt(1n, 10_000n),
  otherShare: fc.bigInt(0n, 10_000n),
  choice: fc.nat(255),
});

export function histories(length: number): fc.Arbitrary<readonly Step[]> {
  return fc.noBias(fc.array(step, { minLength: length, maxLength: length }));
}
