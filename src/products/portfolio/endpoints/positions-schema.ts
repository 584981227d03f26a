import { type Static, Type } from 'typebox';
import { named, RefusalJson } from '../../named-schema.ts';
import { booleanText, listText } from '../../parameters.ts';
import { Address, Milliseconds } from './assets-schema.ts';
import { Element } from './elements-schema.ts';

const options = {
  platforms: Type.Optional(
    listText('Ids of `/portfolio/v1/platforms`: only their positions are read. Default: all.'),
  ),
  hideSpam: Type.Optional(
    booleanText(
      'Leaves out tokens of the wallet that are neither on the list of tokens nor priced, and its collectibles that do not verifiably belong to a collection. Positions are never left out.',
    ),
  ),
};

export const PositionsQuery = Type.Object(options);
export type PositionsOptions = Static<typeof PositionsQuery>;

const wallet = Type.String({ description: 'The address of the wallet.' });
export const PositionsOfWalletQuery = Type.Object({ wallet, ...options });
/** Requests that name the wallet as a parameter, and not in the path. */
export const WalletQuery = Type.Object({ wallet });
export const WalletParams = Type.Object({
  address: Type.String({ description: 'The address of the wallet.' }),
});

export const PositionsResponse = named(
  'Positions',
  Type.Object({
    date: Milliseconds,
    owner: Address,
    duration: Type.Number({ description: 'Milliseconds that the whole answer took.' }),
    fetcherReports: Type.Array(
      Type.Object({
        id: Type.String(),
        status: Type.Union([Type.Literal('succeeded'), Type.Literal('failed')]),
        duration: Type.Optional(Type.Number({ description: 'Milliseconds; of those that succeeded.' })),
        error: Type.Optional(Type.String({ description: 'Of those that failed.' })),
      }),
      { description: 'One for each kind of positions that was asked for.' },
    ),
    elements: Type.Array(Element, { description: 'By value, the largest first.' }),
    tokenInfo: Type.Object({
      solana: Type.Record(
        Type.String(),
        Type.Object({
          address: Address,
          name: Type.String(),
          symbol: Type.String(),
          decimals: Type.Number(),
          logoURI: Type.Optional(Type.String()),
          tags: Type.Optional(Type.Array(Type.String())),
        }),
      ),
    }),
  }),
);

export const Refusal = RefusalJson;
