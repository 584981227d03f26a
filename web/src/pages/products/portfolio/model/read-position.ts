import type { ExactJson } from '../../../../base/exact-json.ts';
import { shortenName } from '../../../../base/format-text.ts';
import { getMillisecondTime } from '../../../../base/read-times.ts';
import { getCoordinate, getFixed, getItems, getMember, getText } from '../../../../base/read-json.ts';
import {
  AMOUNT_PLACES,
  type LeveragedPosition,
  type OpenOrder,
  type PooledPosition,
  type PortfolioPosition,
  type PositionContent,
  PRICE_PLACES,
} from './position.ts';
import {
  type FindSymbol,
  readAddress,
  readAsset,
  readAssets,
  readDollars,
  readName,
  readRate,
  readTags,
} from './read-asset.ts';

const MAX_WORD = 32;

/** Reads an element of a portfolio. What is missing or odd in it is null; nothing of it makes the page fail. */
export function readPosition(element: ExactJson, findSymbol: FindSymbol): PortfolioPosition {
  return {
    platform: readWord(element, 'platformId') ?? 'unknown',
    label: readWord(element, 'label') ?? 'Position',
    name: readName(element, 'name'),
    value: readDollars(element, 'value'),
    tags: readTags(element),
    netRate: getFixed(element, 'netApy', 6),
    content: readContent(getText(element, 'type') ?? '', getMember(element, 'data'), findSymbol),
  };
}

function readContent(type: string, data: ExactJson | undefined, findSymbol: FindSymbol): PositionContent {
  switch (type) {
    case 'multiple':
      return { type, assets: readAssets(data, 'assets', findSymbol), account: readAddress(data, 'ref') };
    case 'liquidity':
      return { type, pooled: getItems(data, 'liquidities').map((entry) => readPooled(entry, findSymbol)) };
    case 'borrowlend':
      return {
        type,
        loan: {
          supplied: readAssets(data, 'suppliedAssets', findSymbol),
          borrowed: readAssets(data, 'borrowedAssets', findSymbol),
          rewards: readAssets(data, 'rewardAssets', findSymbol),
          suppliedValue: readDollars(data, 'suppliedValue'),
          borrowedValue: readDollars(data, 'borrowedValue'),
          health: getFixed(data, 'healthRatio', 6),
          account: readAddress(data, 'ref'),
          pool: readPool(data),
        },
      };
    case 'trade':
      return { type, order: readOrder(data, findSymbol) };
    case 'leverage': {
      const groups = [getMember(data, 'isolated'), getMember(data, 'cross')];
      return {
        type,
        positions: groups.flatMap((group) =>
          getItems(group, 'positions').map((entry) => readLeveraged(entry, findSymbol)),
        ),
      };
    }
    default:
      return { type: 'unknown', said: shortenName(type, MAX_WORD) || 'without a type' };
  }
}

function readPooled(entry: ExactJson, findSymbol: FindSymbol): PooledPosition {
  return {
    name: readName(entry, 'name'),
    pool: readPool(entry) ?? readAddress(entry, 'ref'),
    assets: readAssets(entry, 'assets', findSymbol),
    rewards: readAssets(entry, 'rewardAssets', findSymbol),
    value: readDollars(entry, 'value'),
    rate: readRate(getItems(entry, 'yields')),
  };
}

function readOrder(data: ExactJson | undefined, findSymbol: FindSymbol): OpenOrder {
  const assets = getMember(data, 'assets');
  const readSide = (name: string) => {
    const asset = getMember(assets, name);
    return asset === undefined || asset === null ? null : readAsset(asset, findSymbol);
  };
  const inputMint = readAddress(data, 'inputAddress');
  const outputMint = readAddress(data, 'outputAddress');
  const recurring = getMember(data, 'recurring');
  const range = getMember(recurring, 'priceRange');
  return {
    input: readSide('input'),
    output: readSide('output'),
    inputMint,
    inputLabel: inputMint === null ? 'an unknown token' : findSymbol(inputMint),
    outputMint,
    outputLabel: outputMint === null ? 'an unknown token' : findSymbol(outputMint),
    initialInput: getFixed(data, 'initialInputAmount', AMOUNT_PLACES),
    receivedOutput: getFixed(data, 'withdrawnOutputAmount', AMOUNT_PLACES),
    expectedOutput: getFixed(data, 'expectedOutputAmount', AMOUNT_PLACES),
    filled: getFixed(data, 'filledPercentage', 6),
    createdAt: getMillisecondTime(data, 'createdAt'),
    expiresAt: getMillisecondTime(data, 'expireAt'),
    recurring:
      recurring === undefined || recurring === null
        ? null
        : {
            cycles: getCoordinate(recurring, 'cycles'),
            intervalMs: getCoordinate(recurring, 'interval'),
            lowest: getFixed(range, 'min', PRICE_PLACES),
            highest: getFixed(range, 'max', PRICE_PLACES),
          },
    account: readAddress(data, 'ref'),
  };
}

function readLeveraged(entry: ExactJson, findSymbol: FindSymbol): LeveragedPosition {
  const market = readAddress(entry, 'address');
  const side = getText(entry, 'side');
  return {
    market,
    label: market === null ? (readName(entry, 'name') ?? 'Unknown market') : findSymbol(market),
    side: side === 'long' || side === 'short' ? side : null,
    size: readDollars(entry, 'sizeValue'),
    collateral: readDollars(entry, 'collateralValue'),
    entryPrice: getFixed(entry, 'entryPrice', PRICE_PLACES),
    markPrice: getFixed(entry, 'markPrice', PRICE_PLACES),
    liquidationPrice: getFixed(entry, 'liquidationPrice', PRICE_PLACES),
    profit: readDollars(entry, 'pnlValue'),
    leverage: getFixed(entry, 'leverage', 6),
    value: readDollars(entry, 'value'),
    account: readAddress(entry, 'ref'),
  };
}

function readPool(entry: ExactJson | undefined): string | null {
  const named = getItems(entry, 'sourceRefs').find((ref) =>
    ['Pool', 'Vault', 'Market'].includes(getText(ref, 'name') ?? ''),
  );
  return readAddress(named, 'address');
}

function readWord(value: ExactJson, name: string): string | null {
  return shortenName(getText(value, name) ?? '', MAX_WORD) || null;
}
