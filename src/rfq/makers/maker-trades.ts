import type { Address } from '../../solana/address.ts';
import type { MakerStatistics, Volume } from './maker.ts';

/** What a landed fill moved. */
export interface FillVolume {
  /** Of the transaction; what it moved counts once. */
  readonly signature: string;
  /** By the maker. */
  readonly paid: { readonly mint: Address; readonly atoms: bigint };
  readonly received: { readonly mint: Address; readonly atoms: bigint };
  /** What one side of it is worth; null when no pool tells. */
  readonly microDollars: bigint | null;
}

/** What becomes of makers' books in the market, as whoever trades with them tells it. Telling waits for nothing. */
export interface MakerTrades {
  /** An order was given out. @param considered makers with books that could have been part of it; each once */
  ordered(considered: readonly string[], winner: string | null): void;
  /** A fill landed. */
  traded(makerId: string, volume: FillVolume): void;
}

/** A maker trades few; who streams ever new ones is counted in dollars only. */
export const MAX_MINTS = 256;
/** More fills than a maker has between the chain and the database. */
export const MAX_NEWEST = 64;

/** What the statistics of a maker count of its trades. Plain data. */
export type TradeNews =
  | { readonly kind: 'ordered'; readonly considered: number; readonly won: number }
  | { readonly kind: 'traded'; readonly volume: FillVolume };

/** @param count changes the statistics of a maker, and has them written down within some seconds */
export function makerTrades(count: (makerId: string, news: TradeNews) => void): MakerTrades {
  return {
    ordered: (considered, winner) => {
      for (const makerId of considered) {
        count(makerId, { kind: 'ordered', considered: 1, won: makerId === winner ? 1 : 0 });
      }
    },
    traded: (makerId, volume) => count(makerId, { kind: 'traded', volume }),
  };
}

export function countTrade(statistics: MakerStatistics, news: TradeNews): void {
  if (news.kind === 'traded') {
    add(statistics.volume, news.volume);
    return;
  }
  statistics.considered += news.considered;
  statistics.won += news.won;
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
