// What the page shows of an element of a portfolio. Values are in nano dollars, amounts and prices in the places below.

/** Digits behind the point of amounts in whole tokens. */
export const AMOUNT_PLACES = 12;
/** Digits behind the point of prices. */
export const PRICE_PLACES = 18;

/** What is special about an asset, besides its amount. */
export type AssetNote =
  /** @property until - Unix ms; null if it is locked for a time that is not known. */
  | { readonly kind: 'locked'; readonly until: number | null }
  | { readonly kind: 'claimable' }
  | { readonly kind: 'tag'; readonly text: string }
  | { readonly kind: 'validator'; readonly address: string }
  | { readonly kind: 'prediction'; readonly market: string; readonly side: string }
  /** @property rate - A yearly rate in millionths. */
  | { readonly kind: 'rate'; readonly rate: bigint };

/** An asset of a position. */
export interface HeldAsset {
  readonly kind: 'token' | 'collectible' | 'other';
  readonly address: string | null;
  /** The symbol of a token, or the name of what is none. */
  readonly label: string;
  readonly amount: bigint | null;
  readonly price: bigint | null;
  readonly value: bigint | null;
  readonly notes: readonly AssetNote[];
  /** The account that holds it. */
  readonly account: string | null;
}

/** A deposit in a pool or a vault. */
export interface PooledPosition {
  readonly name: string | null;
  /** The account of the pool or the vault. */
  readonly pool: string | null;
  readonly assets: readonly HeldAsset[];
  readonly rewards: readonly HeldAsset[];
  readonly value: bigint | null;
  /** Yearly, in millionths. */
  readonly rate: bigint | null;
}

/** A position with borrowed money on a price. */
export interface LeveragedPosition {
  readonly market: string | null;
  readonly label: string;
  readonly side: 'long' | 'short' | null;
  readonly size: bigint | null;
  readonly collateral: bigint | null;
  readonly entryPrice: bigint | null;
  readonly markPrice: bigint | null;
  readonly liquidationPrice: bigint | null;
  readonly profit: bigint | null;
  /** In millionths. */
  readonly leverage: bigint | null;
  readonly value: bigint | null;
  readonly account: string | null;
}

/** What an order is about. */
export interface OpenOrder {
  readonly input: HeldAsset | null;
  readonly output: HeldAsset | null;
  readonly inputMint: string | null;
  readonly inputLabel: string;
  readonly outputMint: string | null;
  readonly outputLabel: string;
  readonly initialInput: bigint | null;
  readonly receivedOutput: bigint | null;
  readonly expectedOutput: bigint | null;
  /** In millionths. */
  readonly filled: bigint | null;
  readonly createdAt: number | null;
  readonly expiresAt: number | null;
  readonly recurring: {
    readonly cycles: number | null;
    readonly intervalMs: number | null;
    readonly lowest: bigint | null;
    readonly highest: bigint | null;
  } | null;
  readonly account: string | null;
}

/** What is lent and owed. */
export interface LoanPosition {
  readonly supplied: readonly HeldAsset[];
  readonly borrowed: readonly HeldAsset[];
  readonly rewards: readonly HeldAsset[];
  readonly suppliedValue: bigint | null;
  readonly borrowedValue: bigint | null;
  /** In millionths: a million is full health, at 0 or less it can be liquidated; null if unknown. */
  readonly health: bigint | null;
  readonly account: string | null;
  readonly pool: string | null;
}

/** What the page shows of one element, by its type. */
export type PositionContent =
  | { readonly type: 'multiple'; readonly assets: readonly HeldAsset[]; readonly account: string | null }
  | { readonly type: 'liquidity'; readonly pooled: readonly PooledPosition[] }
  | { readonly type: 'borrowlend'; readonly loan: LoanPosition }
  | { readonly type: 'trade'; readonly order: OpenOrder }
  | { readonly type: 'leverage'; readonly positions: readonly LeveragedPosition[] }
  /** Of a version that this page does not know. */
  | { readonly type: 'unknown'; readonly said: string };

/** An element of a portfolio. */
export interface PortfolioPosition {
  readonly platform: string;
  /** Such as `Lending`. */
  readonly label: string;
  readonly name: string | null;
  readonly value: bigint | null;
  readonly tags: readonly string[];
  /** Yearly, in millionths. */
  readonly netRate: bigint | null;
  readonly content: PositionContent;
}
