import type { Account } from '../../../chain/accounts.ts';
import type { ChainClock, RecentBlockhash } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { LiveBooks } from '../../books/live-book.ts';
import type { MakerLink } from '../../streams/maker-link.ts';
import type { Makers } from '../../makers/makers.ts';
import type { QuoteStreams } from '../../streams/quote-streams.ts';
import type { Reservations } from '../../books/reservations.ts';
import type { SwapConnections } from '../../streams/swap-connections.ts';
import type { SwapStreams } from '../../streams/swap-streams.ts';
import type { WebhookClient } from '../../webhooks/http-client.ts';
import type { WebhookRecord } from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import type { Trials } from './trials.ts';

export interface CheckDependencies {
  readonly makers: Pick<Makers, 'get'>;
  readonly books: Pick<LiveBooks, 'all'>;
  readonly link: MakerLink;
  readonly swapStreams: Pick<SwapStreams, 'end'>;
  readonly swapConnections: Pick<SwapConnections, 'isLive' | 'unread' | 'burst'>;
  readonly quoteStreams: Pick<QuoteStreams, 'isLive' | 'unread'>;
  readonly reservations: Pick<Reservations, 'reserve' | 'settle' | 'release'>;
  readonly trials: Trials;
  readonly webhooks: Pick<Webhooks, 'find' | 'quoteMs'>;
  /** Opens a connection of the check's own to a webhook. */
  readonly openWebhook: (record: Pick<WebhookRecord, 'url' | 'apiKey'>) => WebhookClient;
  readonly network: CheckNetwork;
  readonly timers: Timers;
  readonly newUuid: () => string;
  /** Creates keys for takers and strangers, which are forgotten after the check. */
  readonly newKeypair: () => Keypair;
}

/** A network whose tokens are free, so that a check can create them. */
export interface CheckNetwork {
  readonly clock: () => ChainClock;
  readonly recentBlockhash: () => RecentBlockhash;
  readonly giveLamports: (wallet: Address, lamports: bigint) => Promise<unknown>;
  /** Gives tokens to the wallet's associated token account. */
  readonly giveTokens: (wallet: Address, mint: Address, amount: bigint) => Promise<unknown>;
  readonly land: (transaction: SignedSwap) => Promise<Landed>;
  /** Returns the confirmed state of an account; null if there is none. */
  readonly accountOf: (address: Address) => Promise<Account | null>;
}

export interface SignedSwap {
  readonly wire: Uint8Array;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
}

export type Landed =
  | { readonly kind: 'landed'; readonly slot: bigint }
  /** The transaction is in a block and failed. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The network did not accept the transaction, or its outcome is unknown. */
  | { readonly kind: 'lost'; readonly why: string };

/** The subject of one check: a maker, with the taker that trades with it. */
export interface CheckSubject {
  readonly makerId: string;
  readonly taker: Keypair;
  /** Milliseconds that the maker has to sign a swap that it must not sign. */
  readonly lastLookMs: number;
  readonly nextSerial: () => number;
}
