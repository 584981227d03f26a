import type { Address } from '../../solana/address.ts';
import type { MakerStatistics, Volume } from './maker.ts';

/** The amounts that a landed fill moved. */
export interface FillVolume {
  /** The signature of the transaction, whose amounts are counted once. */
  readonly signature: string;
  /** Paid by the maker. */
  readonly paid: { readonly mint: Address; readonly atoms: bigint };
  readonly received: { readonly mint: Address; readonly atoms: bigint };
  /** The value of one side of the fill; null if no pool prices it. */
  readonly microDollars: bigint | null;
}

/** Counts trades with makers. Called by products; the calls return at once. */
export interface MakerTrades {
  /**
   * Counts an order that was returned to a taker.
   * @param considered - The makers whose books could have been part of it; each once.
   * @param winner - The maker of its fill; null if it has none.
   */
  ordered(considered: readonly string[], winner: string | null): void;
  /** Counts a fill that landed. */
  traded(makerId: string, volume: FillVolume): void;
}

/** The maximum number of mints with amounts of their own; further mints count in dollars only. */
export const MAX_MINTS = 256;
/** More than the fills that a maker can have between the chain and the database. */
export const MAX_NEWEST = 64;

/** A trade as the statistics of a maker count it. Plain data, because it is sent between instances. */
export type TradeReport =
  | { readonly kind: 'ordered'; readonly considered: number; readonly won: number }
  | { readonly kind: 'traded'; readonly volume: FillVolume };

/** @param count - Changes the statistics of a maker, which are written within some seconds. */
export function createMakerTrades(count: (makerId: string, report: TradeReport) => void): MakerTrades {
  return {
    ordered: (considered, winner) => {
      for (const makerId of considered) {
        count(makerId, { kind: 'ordered', considered: 1, won: makerId === winner ? 1 : 0 });
      }
    },
    traded: (makerId, volume) => count(makerId, { kind: 'traded', volume }),
  };
}

export function countTrade(statistics: MakerStatistics, report: TradeReport): void {
  if (report.kind === 'traded') {
    add(statistics.volume, report.volume);
    return;
  }
  statistics.considered += report.considered;
  statistics.won += report.won;
}

function add(volume: Volume, { signature, paid, received, microDollars }: FillVolume): void {
  if (volume.newest.includes(signature)) return;
  volume.newest.push(signature);
  if (volume.newest.length > MAX_NEWEST) volume.newest.shift();
  volume.microDollars += microDollars ?? 0n;
  const of = (mint: Address) => {
    const known = volume.mints.get(mint);
    if (known !== undefined || volume.mints.size >= MAX_MINTS) return known;
    const fresh = { paid: 0n, received: 0n };
    volume.mints.set(mint, fresh);
    return fresh;
  };
  const [out, back] = [of(paid.mint), of(received.mint)];
  if (out !== undefined) out.paid += paid.atoms;
  if (back !== undefined) back.received += received.atoms;
}
