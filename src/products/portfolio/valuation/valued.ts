import type { Address } from '../../../solana/address.ts';
import type {
  AssetAttributes,
  BorrowLendElement,
  CollectibleAsset,
  ElementLabel,
  GenericAsset,
  IsolatedPosition,
  LeverageElement,
  LeveragePosition,
  LiquidityPosition,
  MultipleElement,
  TokenAsset,
  TradeElement,
  Yield,
} from '../../../protocol/positions/element.ts';

// Elements with their values in dollars. Null means unknown, which is not zero.

export interface ValuedToken {
  readonly asset: TokenAsset;
  readonly attributes: AssetAttributes;
  /** Whole tokens. */
  readonly amount: number;
  readonly price: number | null;
  readonly value: number | null;
  readonly yields: readonly Yield[];
}

export interface ValuedCollectible {
  readonly asset: CollectibleAsset;
  readonly attributes: AssetAttributes;
  readonly amount: number;
  /** The floor price of the collection. */
  readonly price: number | null;
  readonly value: number | null;
}

export interface ValuedGeneric {
  readonly asset: GenericAsset;
  readonly attributes: AssetAttributes;
  readonly value: number | null;
}

export type ValuedAsset = ValuedToken | ValuedCollectible | ValuedGeneric;

interface ValuedBase {
  readonly fetcherId: string;
  readonly platformId: string;
  readonly label: ElementLabel;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly value: number | null;
  /** A fraction; null where nothing yields. */
  readonly netApy: number | null;
}

export interface ValuedMultiple extends ValuedBase {
  readonly type: 'multiple';
  readonly element: MultipleElement;
  readonly assets: readonly ValuedAsset[];
  /** Either empty, or one entry for each of `assets`. */
  readonly assetsYields: readonly (readonly Yield[])[];
}

export interface ValuedLiquidityPosition {
  readonly position: LiquidityPosition;
  readonly assets: readonly ValuedToken[];
  readonly assetsValue: number;
  readonly rewardAssets: readonly ValuedToken[];
  readonly rewardAssetsValue: number;
  readonly value: number;
  /** Whole tokens. */
  readonly lp: { readonly mint: Address; readonly amount: number } | null;
}

export interface ValuedLiquidity extends ValuedBase {
  readonly type: 'liquidity';
  readonly value: number;
  readonly liquidities: readonly ValuedLiquidityPosition[];
}

export interface ValuedBorrowLend extends ValuedBase {
  readonly type: 'borrowlend';
  readonly element: BorrowLendElement;
  readonly suppliedAssets: readonly ValuedToken[];
  readonly borrowedAssets: readonly ValuedToken[];
  readonly rewardAssets: readonly ValuedToken[];
  readonly unsettled: { readonly assets: readonly ValuedGeneric[]; readonly value: number } | null;
  readonly suppliedValue: number | null;
  readonly borrowedValue: number | null;
  readonly rewardValue: number | null;
  readonly suppliedYields: readonly (readonly Yield[])[];
  readonly borrowedYields: readonly (readonly Yield[])[];
  /** 1 is full health; at 0 or less the position can be liquidated; null if unknown. */
  readonly healthRatio: number | null;
}

export interface ValuedTrade extends ValuedBase {
  readonly type: 'trade';
  readonly element: TradeElement;
  /** Null if all of it is spent. */
  readonly input: ValuedToken | null;
  /** Null if the order holds none. */
  readonly output: ValuedToken | null;
  /** Whole tokens, like the next two fields. */
  readonly initialInputAmount: number;
  readonly withdrawnOutputAmount: number;
  readonly expectedOutputAmount: number | null;
  readonly inputPrice: number | null;
  readonly outputPrice: number | null;
  /** A fraction from 0 to 1. */
  readonly filledPercentage: number;
  /** Dollars per output token. */
  readonly priceRange: { readonly min?: number; readonly max?: number } | null;
}

export interface ValuedLeveragePosition<Position extends LeveragePosition = LeveragePosition> {
  readonly position: Position;
  readonly markPrice: number | null;
  /** Whole tokens. */
  readonly size: number;
  readonly sizeValue: number;
  readonly pnlValue: number | null;
  readonly leverage: number | null;
  readonly value: number | null;
}

export interface ValuedLeverage extends ValuedBase {
  readonly type: 'leverage';
  readonly element: LeverageElement;
  readonly isolated: {
    readonly positions: readonly ValuedLeveragePosition<IsolatedPosition>[];
    readonly value: number | null;
  } | null;
  readonly cross: {
    readonly collateralAssets: readonly ValuedToken[];
    readonly collateralValue: number | null;
    readonly positions: readonly ValuedLeveragePosition[];
    readonly leverage: number | null;
    readonly value: number | null;
  } | null;
}

export type ValuedElement =
  | ValuedMultiple
  | ValuedLiquidity
  | ValuedBorrowLend
  | ValuedTrade
  | ValuedLeverage;
