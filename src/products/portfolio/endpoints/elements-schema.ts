import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { ELEMENT_LABELS } from '../../../protocol/positions/element.ts';
import {
  Address,
  Asset,
  Dollars,
  GenericAsset,
  Milliseconds,
  SourceRefs,
  TokenAsset,
  Yields,
} from './assets-schema.ts';

const place = {
  contract: Type.Optional(Address),
  ref: Type.Optional(Address),
  sourceRefs: Type.Optional(SourceRefs),
  link: Type.Optional(Type.String()),
};

const element = {
  networkId: Type.Literal('solana'),
  platformId: Type.String(),
  fetcherId: Type.String(),
  value: Dollars,
  label: Type.Enum([...ELEMENT_LABELS]),
  name: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  netApy: Type.Optional(Type.Number({ description: 'A fraction.' })),
};

const Multiple = named(
  'MultipleElement',
  Type.Object({
    ...element,
    type: Type.Literal('multiple'),
    data: Type.Object({
      assets: Type.Array(Asset),
      assetsYields: Type.Optional(Type.Array(Yields, { description: 'As long as the assets, or empty.' })),
      ref: place.ref,
      sourceRefs: place.sourceRefs,
      link: place.link,
    }),
  }),
);

const Liquidity = named(
  'LiquidityElement',
  Type.Object({
    ...element,
    type: Type.Literal('liquidity'),
    data: Type.Object({
      liquidities: Type.Array(
        Type.Object({
          assets: Type.Array(TokenAsset),
          assetsValue: Type.Number(),
          rewardAssets: Type.Array(TokenAsset),
          rewardAssetsValue: Type.Number(),
          value: Type.Number(),
          yields: Yields,
          lp: Type.Optional(Type.Object({ mint: Address, amount: Type.Number() })),
          name: Type.Optional(Type.String()),
          ...place,
        }),
      ),
    }),
  }),
);

const BorrowLend = named(
  'BorrowLendElement',
  Type.Object({
    ...element,
    type: Type.Literal('borrowlend'),
    data: Type.Object({
      value: Dollars,
      suppliedAssets: Type.Array(TokenAsset),
      borrowedAssets: Type.Array(TokenAsset),
      rewardAssets: Type.Array(TokenAsset),
      unsettled: Type.Optional(Type.Object({ assets: Type.Array(GenericAsset), value: Type.Number() })),
      suppliedValue: Dollars,
      borrowedValue: Dollars,
      rewardValue: Dollars,
      suppliedYields: Type.Array(Yields),
      borrowedYields: Type.Array(Yields),
      healthRatio: Type.Union([Type.Number(), Type.Null()], {
        description: '1 is full health, 0 or less can be liquidated, null unknown.',
      }),
      expireOn: Type.Optional(Milliseconds),
      ...place,
    }),
  }),
);

const Trade = named(
  'TradeElement',
  Type.Object({
    ...element,
    type: Type.Literal('trade'),
    data: Type.Object({
      assets: Type.Object({
        input: Type.Union([TokenAsset, Type.Null()]),
        output: Type.Union([TokenAsset, Type.Null()]),
      }),
      inputAddress: Address,
      outputAddress: Address,
      initialInputAmount: Type.Number(),
      withdrawnOutputAmount: Type.Number(),
      expectedOutputAmount: Type.Optional(Type.Number()),
      inputPrice: Dollars,
      outputPrice: Dollars,
      filledPercentage: Type.Number({ minimum: 0, maximum: 1 }),
      createdAt: Type.Optional(Milliseconds),
      expireAt: Type.Optional(Milliseconds),
      recurring: Type.Optional(
        Type.Object({
          cycles: Type.Number(),
          interval: Type.Number({ description: 'Milliseconds.' }),
          priceRange: Type.Optional(
            Type.Object({ min: Type.Optional(Type.Number()), max: Type.Optional(Type.Number()) }),
          ),
        }),
      ),
      ...place,
    }),
  }),
);

const position = {
  address: Type.Optional(Address),
  name: Type.Optional(Type.String()),
  imageUri: Type.Optional(Type.String()),
  side: Type.Union([Type.Literal('long'), Type.Literal('short')]),
  entryPrice: Type.Number(),
  markPrice: Dollars,
  size: Type.Number(),
  sizeValue: Type.Number(),
  pnlValue: Dollars,
  liquidationPrice: Type.Number(),
  leverage: Type.Optional(Type.Number()),
  tp: Type.Optional(Type.Number()),
  sl: Type.Optional(Type.Number()),
  value: Dollars,
  ref: Type.Optional(Address),
  sourceRefs: Type.Optional(SourceRefs),
};

const Leverage = named(
  'LeverageElement',
  Type.Object({
    ...element,
    type: Type.Literal('leverage'),
    data: Type.Object({
      isolated: Type.Optional(
        Type.Object({
          positions: Type.Array(Type.Object({ collateralValue: Type.Number(), ...position })),
          value: Dollars,
        }),
      ),
      cross: Type.Optional(
        Type.Object({
          leverage: Type.Optional(Type.Number()),
          collateralAssets: Type.Optional(Type.Array(TokenAsset)),
          collateralValue: Dollars,
          positions: Type.Array(Type.Object(position)),
          value: Dollars,
        }),
      ),
      value: Dollars,
      ...place,
    }),
  }),
);

export const Element = Type.Union([Multiple, Liquidity, BorrowLend, Trade, Leverage]);
