import { Type } from 'typebox';
import { named, RefusalJson } from '../../named-schema.ts';
import { flag } from '../../parameters/kinds.ts';
import { defineQuery, optional } from '../../parameters/parameter.ts';
import { platforms, wallet } from './portfolio-kinds.ts';
import { Address, Milliseconds } from './assets-schema.ts';
import { Element } from './elements-schema.ts';

const options = {
  platforms: optional(
    platforms('Ids of `/portfolio/v1/platforms`: only their positions are read. Default: all.'),
  ),
  hideSpam: optional(
    flag(
      'Leaves out tokens of the wallet that are neither on the list of tokens nor priced, and its collectibles that do not verifiably belong to a collection. Positions are never left out.',
    ),
    false,
  ),
};

export const POSITIONS_QUERY = defineQuery(options);
export const POSITIONS_OF_WALLET_QUERY = defineQuery({ wallet: wallet(), ...options });
/** Requests that name the wallet as a parameter, and not in the path. */
export const WALLET_QUERY = defineQuery({ wallet: wallet() });
export const WALLET_PATH = defineQuery({ address: wallet() });

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
