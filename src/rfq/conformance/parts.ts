import type { ChainClock, RecentBlockhash } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { LiveBooks } from '../books/live-book.ts';
import type { MakerLink } from '../streams/maker-link.ts';
import type { Makers } from '../makers/makers.ts';
import type { QuoteStreams } from '../streams/quote-streams.ts';
import type { Reservations } from '../books/reservations.ts';
import type { SwapStreams } from '../streams/swap-streams.ts';
import type { Trials } from './trials.ts';

export interface CheckParts {
  readonly makers: Pick<Makers, 'get'>;
  readonly books: Pick<LiveBooks, 'all'>;
  readonly link: MakerLink;
  readonly swapStreams: Pick<SwapStreams, 'isLive' | 'end' | 'unread' | 'burst'>;
  readonly quoteStreams: Pick<QuoteStreams, 'isLive' | 'unread'>;
  readonly reservations: Pick<Reservations, 'reserve' | 'settle' | 'release'>;
  readonly trials: Trials;
  readonly network: CheckNetwork;
  readonly timers: Timers;
  readonly newUuid: () => string;
  /** Keys for takers and strangers, which are forgotten after the check. */
  readonly newKeypair: () => Keypair;
}

/** A network whose tokens cost nothing. */
export interface CheckNetwork {
  readonly clock: () => ChainClock;
  readonly recentBlockhash: () => RecentBlockhash;
  readonly giveLamports: (wallet: Address, lamports: bigint) => Promise<unknown>;
  /** Into the wallet's associated token account. */
  readonly giveTokens: (wallet: Address, mint: Address, amount: bigint) => Promise<unknown>;
  readonly land: (transaction: SignedSwap) => Promise<Landed>;
}

export interface SignedSwap {
  readonly wire: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
}

export type Landed =
  | { readonly kind: 'landed'; readonly slot: bigint }
  /** It is in a block and did nothing. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The network did not take it, or does not say. */
  | { readonly kind: 'lost'; readonly why: string };

/** One check of one maker. */
export interface Subject {
  readonly makerId: string;
  readonly taker: Keypair;
  /** Milliseconds that the maker has to sign what it must not. */
  readonly lastLookMs: number;
  readonly nextSerial: () => number;
}
