import type { Address } from '../../solana/address.ts';

// The positions that fetchers find. Amounts are atoms. Values in dollars are added later, for a whole answer at once.

/** A yearly yield as fractions, where 0.05 is 5%. A negative one is a cost. */
export interface Yield {
  /** The yield with compound interest: `(1 + apr / 365)^365 - 1`. */
  readonly apy: number;
  readonly apr: number;
  readonly description?: string;
}

/** The kinds of accounts from which amounts are read. */
export const SOURCE_NAMES = [
  'Pool',
  'Farm',
  'Market',
  'Vault',
  'Lending Market',
  'Strategy',
  'NFT Mint',
  'Reserve',
  'Proposal',
  'Distributor',
  'Locker',
  'Custody',
  'Pair',
  'Borrow Token',
  'Collateral Token',
  'Elevation Group',
  'Program',
  'Validator',
] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

export interface SourceRef {
  readonly address: Address;
  readonly name: SourceName;
}

export interface Validator {
  readonly address: Address;
  readonly name?: string;
  readonly imageUri?: string;
  readonly yields: readonly Yield[];
}

/** The data of a position in a prediction market, in addition to its asset. Values are dollars, and times are Unix ms. */
export interface Prediction {
  readonly market: {
    readonly marketTitle: string;
    readonly eventTitle?: string;
    readonly closeTime?: number;
    readonly resolveAt?: number;
  };
  readonly sideName: string;
  readonly feesPaidValue?: number;
  readonly pnlValue?: number;
  readonly pnlPercent?: number;
  readonly pnlAfterFeesValue?: number;
  readonly pnlAfterFeesPercent?: number;
  readonly createdAt?: number;
}

export interface AssetAttributes {
  /** Unix ms, or `LOCKED_WITHOUT_END`. */
  readonly lockedUntil?: number;
  readonly isDeprecated?: boolean;
  readonly isClaimable?: boolean;
  readonly tags?: readonly string[];
  readonly validator?: Validator;
  readonly prediction?: Prediction;
}

/** The value of `lockedUntil` for a lock whose end is not known yet. */
export const LOCKED_WITHOUT_END = -1;

/** The last Unix second that a JavaScript date can represent. */
const LAST_SECOND = 8_640_000_000_000n;

/**
 * Converts the Unix second at which a lock ends.
 *
 * Returns Unix ms, or `LOCKED_WITHOUT_END` for a time that clients could not read as a date.
 */
export function toLockedUntilMs(second: bigint): number {
  return second > LAST_SECOND ? LOCKED_WITHOUT_END : Number(second) * 1_000;
}

interface AssetBase {
  readonly name?: string;
  readonly imageUri?: string;
  /** The account that exists exactly as long as the asset. */
  readonly ref?: Address;
  readonly sourceRefs?: readonly SourceRef[];
  readonly link?: string;
  readonly attributes?: AssetAttributes;
}

export interface TokenAsset extends AssetBase {
  readonly type: 'token';
  readonly mint: Address;
  readonly amount: bigint;
  /** The yields of holding the token itself, such as a stake pool's token. */
  readonly yields?: readonly Yield[];
}

export interface CollectibleTrait {
  readonly trait_type: string;
  readonly value: string;
}

export interface CollectibleAsset extends AssetBase {
  readonly type: 'collectible';
  readonly mint: Address;
  /** The number of tokens, which is 1 unless it is an edition. */
  readonly amount: bigint;
  readonly description?: string;
  readonly dataUri?: string;
  readonly traits: readonly CollectibleTrait[];
  /** The collection that has verified the collectible as its own, or null. */
  readonly collection: { readonly id: Address; readonly name?: string } | null;
  /** The floor price of the collection in dollars. Default: unknown. */
  readonly floorPrice?: number;
}

/** An asset that is not a token, such as a claim that exists off the chain. */
export interface GenericAsset extends AssetBase {
  readonly type: 'generic';
  readonly address?: Address;
  /** Whole units. */
  readonly amount?: number;
  /** Dollars per unit. */
  readonly price?: number;
  /** Dollars. Null if unknown. */
  readonly value: number | null;
}

export type Asset = TokenAsset | CollectibleAsset | GenericAsset;

export const ELEMENT_LABELS = [
  'Wallet',
  'Staked',
  'LiquidityPool',
  'Farming',
  'Vault',
  'Lending',
  'Vesting',
  'Deposit',
  'Rewards',
  'Airdrop',
  'Margin',
  'LimitOrder',
  'DCA',
  'SmartDCA',
  'Leverage',
] as const;
export type ElementLabel = (typeof ELEMENT_LABELS)[number];

interface ElementBase {
  readonly label: ElementLabel;
  /** Default: the platform of the fetcher. */
  readonly platformId?: string;
  /** A subtitle, such as `CPMM`. */
  readonly name?: string;
  readonly tags?: readonly string[];
}

/** The accounts of a position. */
interface ElementAccounts {
  /** The program of the position. */
  readonly contract?: Address;
  /** The account whose life is the life of the position. */
  readonly ref?: Address;
  readonly sourceRefs?: readonly SourceRef[];
  readonly link?: string;
}

export interface MultipleElement extends ElementBase, Omit<ElementAccounts, 'contract'> {
  readonly type: 'multiple';
  readonly assets: readonly Asset[];
  /** The yields of what the assets are put into, by their place in `assets`. Default: none. */
  readonly assetsYields?: readonly (readonly Yield[])[];
}

export interface LiquidityPosition extends ElementAccounts {
  readonly name?: string;
  readonly assets: readonly TokenAsset[];
  /** Fees and rewards that are not collected yet. */
  readonly rewardAssets: readonly TokenAsset[];
  /** The fungible token that represents the position. */
  readonly lp?: { readonly mint: Address; readonly amount: bigint };
  readonly yields?: readonly Yield[];
}

export interface LiquidityElement extends ElementBase {
  readonly type: 'liquidity';
  readonly liquidities: readonly LiquidityPosition[];
}

export interface BorrowLendElement extends ElementBase, ElementAccounts {
  readonly type: 'borrowlend';
  readonly suppliedAssets: readonly TokenAsset[];
  readonly borrowedAssets: readonly TokenAsset[];
  readonly rewardAssets: readonly TokenAsset[];
  readonly unsettled?: readonly GenericAsset[];
  /** By their place in `suppliedAssets`. */
  readonly suppliedYields: readonly (readonly Yield[])[];
  /** By their place in `borrowedAssets`, negative. */
  readonly borrowedYields: readonly (readonly Yield[])[];
  /** The share of each supplied value at which the position is liquidated, 0 to 1. Null if unknown. */
  readonly liquidationThresholds: readonly number[] | null;
  /** What each borrowed value counts for. Default: 1 each. */
  readonly borrowWeights?: readonly number[];
  /** Unix ms. Default: the loan does not end. */
  readonly expireOn?: number;
}

/** An exchange rate: so many atoms of the input for so many atoms of the output. */
export interface OrderRate {
  readonly input: bigint;
  readonly output: bigint;
}

export interface TradeElement extends ElementBase, ElementAccounts {
  readonly type: 'trade';
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly initialInput: bigint;
  readonly remainingInput: bigint;
  /** Output that the order holds and its owner can take. */
  readonly heldOutput: bigint;
  /** Output that was paid to the owner already. */
  readonly withdrawnOutput: bigint;
  readonly expectedOutput?: bigint;
  /** Unix ms. */
  readonly createdAt?: number;
  /** Unix ms. */
  readonly expireAt?: number;
  readonly recurring?: {
    /** Orders in all. */
    readonly cycles: number;
    /** Milliseconds between orders. */
    readonly interval: number;
    /** The rates between which the order trades: at the lowest and at the highest price of the output. */
    readonly rates?: { readonly lowest?: OrderRate; readonly highest?: OrderRate };
  };
}

/** A leveraged position. All values and prices are dollars. */
export interface LeveragePosition {
  /** The mint of what the position is long or short of. */
  readonly mint: Address;
  readonly name?: string;
  readonly imageUri?: string;
  readonly side: 'long' | 'short';
  readonly entryPrice: number;
  /** The worth of the position at its entry price. */
  readonly entryValue: number;
  readonly liquidationPrice: number;
  /** Prices that close the position with a profit, and with a loss. */
  readonly tp?: number;
  readonly sl?: number;
  readonly ref?: Address;
  readonly sourceRefs?: readonly SourceRef[];
}

export interface IsolatedPosition extends LeveragePosition {
  readonly collateralValue: number;
  /** What closing the position now costs, with the interest that it owes. Default: nothing. */
  readonly feesValue?: number;
}

export interface LeverageElement extends ElementBase, ElementAccounts {
  readonly type: 'leverage';
  /** Each with its own collateral. */
  readonly isolated?: readonly IsolatedPosition[];
  /** All with the same collateral. */
  readonly cross?: {
    readonly collateralAssets: readonly TokenAsset[];
    readonly positions: readonly LeveragePosition[];
  };
}

/** One position of a wallet, or several of a kind that belong together. */
export type Element = MultipleElement | LiquidityElement | BorrowLendElement | TradeElement | LeverageElement;
