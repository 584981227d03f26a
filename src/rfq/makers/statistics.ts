import type { Address } from '../../solana/address.ts';
import { ACK_LATENCY_BOUNDS, type MakerStatistics } from './maker.ts';

/** Statistics in a form that JSON can carry. */
export type StoredStatistics = Omit<MakerStatistics, 'considered' | 'won' | 'volume'> & {
  /** Absent in rows that were written before it was counted. The same applies to the next two fields. */
  readonly considered?: number;
  readonly won?: number;
  readonly volume?: {
    readonly microDollars: string;
    /** Mint, atoms paid, atoms received. */
    readonly mints: readonly (readonly [mint: string, paid: string, received: string])[];
    readonly newest: readonly string[];
  };
};

export function createEmptyStatistics(): MakerStatistics {
  return {
    accepted: 0,
    rejected: {},
    filled: 0,
    missed: 0,
    tampered: 0,
    considered: 0,
    won: 0,
    ackLatency: ACK_LATENCY_BOUNDS.map(() => 0).concat(0),
    volume: { microDollars: 0n, mints: new Map(), newest: [] },
  };
}

/** @param ms - Milliseconds from the receipt of a snapshot to its ack. */
export function countAck({ ackLatency }: MakerStatistics, ms: number): void {
  const found = ACK_LATENCY_BOUNDS.findIndex((bound) => ms <= bound);
  const index = found === -1 ? ACK_LATENCY_BOUNDS.length : found;
  ackLatency[index] = (ackLatency[index] ?? 0) + 1;
}

export function serializeStatistics({ volume, ...counts }: MakerStatistics): StoredStatistics {
  return {
    ...counts,
    volume: {
      microDollars: String(volume.microDollars),
      mints: [...volume.mints].map(([mint, { paid, received }]) => [mint, String(paid), String(received)]),
      newest: [...volume.newest],
    },
  };
}

export function parseStatistics({ volume, ...counts }: StoredStatistics): MakerStatistics {
  const mints = volume?.mints.map(
    ([mint, paid, received]) =>
      [mint as Address, { paid: BigInt(paid), received: BigInt(received) }] as const,
  );
  return {
    ...createEmptyStatistics(),
    ...counts,
    volume: {
      microDollars: BigInt(volume?.microDollars ?? 0),
      mints: new Map(mints),
      newest: [...(volume?.newest ?? [])],
    },
  };
}
