import type { Address } from '../../solana/address.ts';
import type { WindowStats } from '../trades/trade.ts';
import type { TokenMinute, WalletMinute } from './token-minutes.ts';

/** What windows are computed from. */
export interface WindowInput {
  /** Oldest first. */
  readonly minutes: readonly TokenMinute[];
  /** The first minute of the window. It ends now. */
  readonly from: number;
  /** The first minute of the window before. */
  readonly before: number;
  /** The minute from which on all trades are known. */
  readonly knownSince: number;
  readonly isBot: (wallet: Address) => boolean;
}

/** Computes what happened to a token in a window. */
export function computeWindowStats({ minutes, from, before, knownSince, isBot }: WindowInput): WindowStats {
  const inside = minutes.filter(({ minute }) => minute >= from);
  const start = lastBefore(minutes, from, ({ close }) => close);
  const sum = (of: (minute: TokenMinute) => number) => inside.reduce((total, each) => total + of(each), 0);
  const [buyVolume, sellVolume] = [sum((each) => each.buyVolume), sum((each) => each.sellVolume)];
  const earlier = minutes.filter(({ minute }) => minute >= before && minute < from);
  const volumeBefore = earlier.reduce((total, each) => total + each.buyVolume + each.sellVolume, 0);
  const liquidityBefore = lastBefore(minutes, from, (each) => each.liquidity);
  return {
    priceChange: changeInPercent(start, last(inside, (each) => each.close) ?? start),
    liquidityChange: changeInPercent(
      liquidityBefore,
      last(inside, (each) => each.liquidity) ?? liquidityBefore,
    ),
    volumeChange: knownSince > before ? null : changeInPercent(volumeBefore, buyVolume + sellVolume),
    buyVolume,
    sellVolume,
    numBuys: sum((each) => each.buys),
    numSells: sum((each) => each.sells),
    ...walletStats(inside, isBot),
  };
}

type WalletStats = Pick<
  WindowStats,
  'buyOrganicVolume' | 'sellOrganicVolume' | 'numTraders' | 'numOrganicBuyers' | 'numNetBuyers'
>;

const UNKNOWN_WALLETS: WalletStats = {
  buyOrganicVolume: null,
  sellOrganicVolume: null,
  numTraders: null,
  numOrganicBuyers: null,
  numNetBuyers: null,
};

function walletStats(minutes: readonly TokenMinute[], isBot: (wallet: Address) => boolean): WalletStats {
  const totals = new Map<Address, WalletMinute>();
  for (const { wallets } of minutes) {
    if (wallets === null) return UNKNOWN_WALLETS;
    for (const [wallet, { bought, sold, buys }] of wallets) {
      const total = totals.get(wallet);
      if (total === undefined) {
        totals.set(wallet, { bought, sold, buys });
        continue;
      }
      total.bought += bought;
      total.sold += sold;
      total.buys += buys;
    }
  }
  let [buyOrganicVolume, sellOrganicVolume, numOrganicBuyers, numNetBuyers] = [0, 0, 0, 0];
  for (const [wallet, { bought, sold, buys }] of totals) {
    if (bought > sold) numNetBuyers++;
    if (isBot(wallet)) continue;
    buyOrganicVolume += bought;
    sellOrganicVolume += sold;
    if (buys > 0) numOrganicBuyers++;
  }
  return { buyOrganicVolume, sellOrganicVolume, numTraders: totals.size, numOrganicBuyers, numNetBuyers };
}

/** Returns percent; null when there is nothing to compare with. */
export function changeInPercent(from: number | null, to: number | null): number | null {
  return from === null || to === null || from <= 0 ? null : ((to - from) / from) * 100;
}

function lastBefore(
  minutes: readonly TokenMinute[],
  minute: number,
  of: (each: TokenMinute) => number | null,
): number | null {
  for (let index = minutes.length - 1; index >= 0; index--) {
    const each = minutes[index];
    if (each === undefined || each.minute >= minute) continue;
    const value = of(each);
    if (value !== null) return value;
  }
  return null;
}

function last(minutes: readonly TokenMinute[], of: (each: TokenMinute) => number | null): number | null {
  return lastBefore(minutes, Number.POSITIVE_INFINITY, of);
}
