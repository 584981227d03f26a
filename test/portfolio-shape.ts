import { type TSchema, Type } from 'typebox';

// The public shape of `portfolio-v1`, written down from its published OpenAPI document and independent of the product's own
// schemas. Values and prices may be null where the price of a token is unknown; clients of the open engine expect that.

const Text = Type.String();
const Amount = Type.Number();
const words = (...allowed: string[]) => Type.Union(allowed.map((word) => Type.Literal(word)));
const optional = (fields: Record<string, TSchema>) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]));
const list = (element: TSchema) => Type.Array(element);
const Unknown = Type.Null();

const SourceRefs = list(
  Type.Object({
    address: Text,
    name: words(
      ...['Pool', 'Farm', 'Market', 'Vault', 'Lending Market', 'Strategy', 'NFT Mint', 'Reserve', 'Proposal'],
      ...['Distributor', 'Locker', 'Custody', 'Pair', 'Borrow Token', 'Collateral Token', 'Elevation Group'],
      ...['Program', 'Validator'],
    ),
  }),
);
const Yields = list(Type.Object(optional({ apy: Amount, apr: Amount, description: Text })));
const PLACE = optional({ contract: Text, ref: Text, sourceRefs: SourceRefs, link: Text });

const Attributes = Type.Object(
  optional({
    lockedUntil: Amount,
    isDeprecated: Type.Boolean(),
    isClaimable: Type.Boolean(),
    tags: list(Text),
    validator: Type.Object({ address: Text, yields: Yields, ...optional({ name: Text, imageUri: Text }) }),
    prediction: Type.Object({
      market: Type.Object({
        marketTitle: Text,
        ...optional({ eventTitle: Text, closeTime: Amount, resolveAt: Amount }),
      }),
      sideName: Text,
      ...optional({
        feesPaidValue: Amount,
        pnlValue: Amount,
        pnlPercent: Amount,
        pnlAfterFeesValue: Amount,
        pnlAfterFeesPercent: Amount,
        createdAt: Amount,
      }),
    }),
  }),
);

const asset = (type: string, value: TSchema, data: TSchema) =>
  Type.Object({
    type: Type.Literal(type),
    networkId: Type.Literal('solana'),
    value,
    attributes: Attributes,
    data,
    ...optional({ name: Text, imageUri: Text, ref: Text, sourceRefs: SourceRefs, link: Text }),
  });
const token = (value: TSchema) =>
  asset(
    'token',
    value,
    Type.Object({ address: Text, amount: Amount, price: value, yields: Type.Optional(Yields) }),
  );
const MaybeAmount = Type.Union([Amount, Unknown]);

const Generic = asset(
  'generic',
  MaybeAmount,
  Type.Object(optional({ address: Text, amount: Amount, price: Amount })),
);
const Collectible = asset(
  'collectible',
  MaybeAmount,
  Type.Object({
    address: Text,
    amount: Amount,
    price: MaybeAmount,
    ...optional({
      name: Text,
      description: Text,
      imageUri: Text,
      dataUri: Text,
      attributes: list(Type.Object(optional({ trait_type: Text, value: Type.Unknown() }))),
      collection: Type.Object({ floorPrice: MaybeAmount, ...optional({ id: Text, name: Text }) }),
    }),
  }),
);
const Asset = Type.Union([token(MaybeAmount), Collectible, Generic]);

const LEVERAGED = {
  side: words('long', 'short'),
  entryPrice: Amount,
  markPrice: Amount,
  size: Amount,
  sizeValue: Amount,
  pnlValue: Amount,
  liquidationPrice: Amount,
  value: Amount,
  ...optional({
    address: Text,
    name: Text,
    imageUri: Text,
    leverage: Amount,
    tp: Amount,
    sl: Amount,
    ref: Text,
    sourceRefs: SourceRefs,
  }),
};

const DATA = {
  multiple: Type.Object({ assets: list(Asset), assetsYields: Type.Optional(list(Yields)), ...PLACE }),
  liquidity: Type.Object({
    liquidities: list(
      Type.Object({
        assets: list(Asset),
        assetsValue: Amount,
        rewardAssets: list(Asset),
        rewardAssetsValue: Amount,
        value: Amount,
        yields: Yields,
        ...optional({ lp: Type.Object({ mint: Text, amount: Amount }), name: Text }),
        ...PLACE,
      }),
    ),
  }),
  trade: Type.Object({
    assets: Type.Object({
      input: Type.Union([Asset, Unknown]),
      output: Type.Union([Asset, Unknown]),
    }),
    inputAddress: Text,
    outputAddress: Text,
    initialInputAmount: Amount,
    withdrawnOutputAmount: Amount,
    inputPrice: MaybeAmount,
    outputPrice: MaybeAmount,
    filledPercentage: Type.Number({ minimum: 0, maximum: 1 }),
    ...optional({
      expectedOutputAmount: Amount,
      createdAt: Amount,
      expireAt: Amount,
      recurring: Type.Object({
        cycles: Amount,
        interval: Amount,
        priceRange: Type.Optional(Type.Object(optional({ min: Amount, max: Amount }))),
      }),
    }),
    ...PLACE,
  }),
  leverage: Type.Object({
    value: Amount,
    ...optional({
      isolated: Type.Object({
        positions: list(Type.Object({ ...LEVERAGED, collateralValue: Amount })),
        value: Amount,
      }),
      cross: Type.Object({
        collateralValue: Amount,
        positions: list(Type.Object(LEVERAGED)),
        value: Amount,
        ...optional({ leverage: Amount, collateralAssets: list(Asset) }),
      }),
    }),
    ...PLACE,
  }),
  borrowlend: Type.Object({
    value: Amount,
    suppliedAssets: list(Asset),
    borrowedAssets: list(Asset),
    rewardAssets: list(Asset),
    suppliedValue: Amount,
    borrowedValue: Amount,
    rewardValue: Amount,
    suppliedYields: list(Yields),
    borrowedYields: list(Yields),
    healthRatio: MaybeAmount,
    ...optional({
      unsettled: Type.Object({ assets: list(Generic), value: Amount }),
      expireOn: Amount,
    }),
    ...PLACE,
  }),
};

const elementOf = (type: keyof typeof DATA) =>
  Type.Object({
    type: Type.Literal(type),
    networkId: Type.Literal('solana'),
    platformId: Text,
    value: Amount,
    label: words(
      ...[
        'Wallet',
        'Staked',
        'LiquidityPool',
        'Farming',
        'Vault',
        'Lending',
        'Vesting',
        'Deposit',
        'Rewards',
      ],
      ...['Airdrop', 'Margin', 'LimitOrder', 'DCA', 'SmartDCA', 'Leverage'],
    ),
    data: DATA[type],
    ...optional({ name: Text, tags: list(Text), netApy: Amount }),
  });

/** One schema for each type of element, so that a mismatch is reported at its own path. */
export const ELEMENTS = {
  multiple: elementOf('multiple'),
  liquidity: elementOf('liquidity'),
  trade: elementOf('trade'),
  leverage: elementOf('leverage'),
  borrowlend: elementOf('borrowlend'),
};

/** The answer of `GET /portfolio/v1/positions/{address}` around its elements. */
export const POSITIONS = Type.Object({
  date: Amount,
  owner: Text,
  duration: Amount,
  fetcherReports: list(
    Type.Object({
      id: Text,
      status: words('succeeded', 'failed'),
      ...optional({ duration: Amount, error: Text }),
    }),
  ),
  elements: list(Type.Unknown()),
  tokenInfo: Type.Object({
    solana: Type.Record(
      Type.String(),
      Type.Object({
        address: Text,
        name: Text,
        decimals: Amount,
        symbol: Text,
        ...optional({ logoURI: Text, tags: list(Text) }),
      }),
    ),
  }),
});

/** The answer of `GET /portfolio/v1/platforms`. */
export const PLATFORM_LIST = list(
  Type.Object({
    id: Text,
    name: Text,
    image: Text,
    isDeprecated: Type.Boolean(),
    tags: list(Text),
    links: Type.Object({
      website: Text,
      ...optional({
        discord: Text,
        telegram: Text,
        twitter: Text,
        github: Text,
        medium: Text,
        documentation: Text,
      }),
    }),
    ...optional({ description: Text, defiLlamaId: Text, tokens: list(Text) }),
  }),
);
