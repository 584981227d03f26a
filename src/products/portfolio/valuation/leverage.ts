import type {
  IsolatedPosition,
  LeverageElement,
  LeveragePosition,
} from '../../../protocol/positions/element.ts';
import { roundValue, sumAll } from './money.ts';
import { type PricedMints, getPricedMint, valueTokens } from './value-asset.ts';
import type { ValuedLeverage, ValuedLeveragePosition } from './valued.ts';

type LeverageValues = Omit<ValuedLeverage, 'fetcherId' | 'platformId' | 'label' | 'name' | 'tags'>;

/** Returns null for an account without positions and collateral. */
export function valueLeverage(element: LeverageElement, mints: PricedMints): LeverageValues | null {
  const isolated = valueIsolated(element.isolated ?? [], mints);
  const cross = valueCross(element.cross, mints);
  if (isolated === null && cross === null) return null;
  const value = roundValue(sumAll([isolated?.value ?? 0, cross?.value ?? 0]));
  const isKnown = isolated?.value !== null && cross?.value !== null;
  return { type: 'leverage', element, isolated, cross, value: isKnown ? value : null, netApy: null };
}

function valueIsolated(
  positions: readonly IsolatedPosition[],
  mints: PricedMints,
): LeverageValues['isolated'] {
  if (positions.length === 0) return null;
  const valued = positions.map((position) => {
    const shared = valuePosition(position, mints);
    const { collateralValue, feesValue = 0 } = position;
    return {
      ...shared,
      position,
      leverage: collateralValue === 0 ? null : shared.sizeValue / collateralValue,
      value: roundValue(sumAll([collateralValue, shared.pnlValue, -feesValue])),
    };
  });
  return { positions: valued, value: roundValue(sumAll(valued.map(({ value }) => value))) };
}

function valueCross(cross: LeverageElement['cross'], mints: PricedMints): LeverageValues['cross'] {
  if (cross === undefined) return null;
  const collateralAssets = valueTokens(cross.collateralAssets, mints);
  if (cross.positions.length === 0 && !collateralAssets.some(({ asset }) => asset.amount > 0n)) return null;
  const positions = cross.positions.map((position) => valuePosition(position, mints));
  const collateralValue = roundValue(sumAll(collateralAssets.map(({ value }) => value)));
  const value = roundValue(sumAll([collateralValue, ...positions.map(({ pnlValue }) => pnlValue)]));
  const size = positions.reduce((sum, { sizeValue }) => sum + sizeValue, 0);
  const leverage = value === null || value === 0 || size === 0 ? null : size / value;
  return { collateralAssets, collateralValue, positions, leverage, value };
}

/** The profit is that of the price alone, without fees. */
function valuePosition(position: LeveragePosition, mints: PricedMints): ValuedLeveragePosition {
  const { mint, side, entryPrice, entryValue } = position;
  const { price: markPrice } = getPricedMint(mints, mint);
  const size = entryPrice === 0 ? 0 : entryValue / entryPrice;
  const gain = markPrice === null ? null : (markPrice - entryPrice) * size;
  return {
    position,
    markPrice,
    size,
    sizeValue: roundValue(entryValue),
    pnlValue: gain === null ? null : roundValue(side === 'long' ? gain : -gain),
    leverage: null,
    value: null,
  };
}
