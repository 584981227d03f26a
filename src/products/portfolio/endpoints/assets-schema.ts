import { Type } from 'typebox';
import { SOURCE_NAMES } from '../../../protocol/positions/element.ts';
import { named } from '../../named-schema.ts';

// The published schema types every value as a number. An unknown one is null, which no number can stand for.

export const Dollars = Type.Union([Type.Number(), Type.Null()], {
  description: 'US dollars; null if unknown.',
});
export const Address = Type.String({ description: 'A base58 address of 32 bytes.' });
export const Milliseconds = Type.Number({ description: 'Unix ms.' });

export const Yield = named(
  'Yield',
  Type.Object({
    apy: Type.Optional(Type.Number({ description: 'A fraction, with daily compounding.' })),
    apr: Type.Optional(Type.Number({ description: 'A fraction.' })),
    description: Type.Optional(Type.String()),
  }),
);
export const Yields = Type.Array(Yield);
export const SourceRefs = Type.Array(
  named('SourceRef', Type.Object({ address: Address, name: Type.Enum([...SOURCE_NAMES]) })),
  {
    description: 'The accounts that the amounts were read from.',
  },
);

const Attributes = named(
  'AssetAttributes',
  Type.Object({
    lockedUntil: Type.Optional(
      Type.Number({ description: 'Unix ms; -1 if it is locked for a time that is not known.' }),
    ),
    isDeprecated: Type.Optional(Type.Boolean()),
    isClaimable: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
    validator: Type.Optional(
      Type.Object({
        address: Address,
        yields: Yields,
        name: Type.Optional(Type.String()),
        imageUri: Type.Optional(Type.String()),
      }),
    ),
    prediction: Type.Optional(
      Type.Object({
        market: Type.Object({
          marketTitle: Type.String(),
          eventTitle: Type.Optional(Type.String()),
          closeTime: Type.Optional(Milliseconds),
          resolveAt: Type.Optional(Milliseconds),
        }),
        sideName: Type.String(),
        feesPaidValue: Type.Optional(Type.Number()),
        pnlValue: Type.Optional(Type.Number()),
        pnlPercent: Type.Optional(Type.Number()),
        pnlAfterFeesValue: Type.Optional(Type.Number()),
        pnlAfterFeesPercent: Type.Optional(Type.Number()),
        createdAt: Type.Optional(Milliseconds),
      }),
    ),
  }),
);

const asset = {
  networkId: Type.Literal('solana'),
  value: Dollars,
  attributes: Attributes,
  name: Type.Optional(Type.String()),
  imageUri: Type.Optional(Type.String()),
  ref: Type.Optional(Address),
  sourceRefs: Type.Optional(SourceRefs),
  link: Type.Optional(Type.String()),
};

export const TokenAsset = named(
  'TokenAsset',
  Type.Object({
    ...asset,
    type: Type.Literal('token'),
    data: Type.Object({
      address: Address,
      amount: Type.Number({ description: 'Whole tokens.' }),
      price: Dollars,
      yields: Type.Optional(Yields),
    }),
  }),
);

export const GenericAsset = named(
  'GenericAsset',
  Type.Object({
    ...asset,
    type: Type.Literal('generic'),
    data: Type.Object({
      address: Type.Optional(Address),
      amount: Type.Optional(Type.Number()),
      price: Type.Optional(Type.Number()),
    }),
  }),
);

export const CollectibleAsset = named(
  'CollectibleAsset',
  Type.Object({
    ...asset,
    type: Type.Literal('collectible'),
    data: Type.Object({
      address: Address,
      amount: Type.Number(),
      price: Dollars,
      name: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      imageUri: Type.Optional(Type.String()),
      dataUri: Type.Optional(Type.String()),
      attributes: Type.Optional(
        Type.Array(Type.Object({ trait_type: Type.Optional(Type.String()), value: Type.Unknown() })),
      ),
      collection: Type.Optional(
        Type.Object({
          id: Type.Optional(Address),
          floorPrice: Dollars,
          name: Type.Optional(Type.String()),
        }),
      ),
    }),
  }),
);

export const Asset = Type.Union([TokenAsset, GenericAsset, CollectibleAsset]);
