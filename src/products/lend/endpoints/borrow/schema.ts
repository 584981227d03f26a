import { Type } from 'typebox';
import { named } from '../../../named-schema.ts';
import { textFor } from '../../../parameters.ts';
import { MARKETS } from '../../../../lend/borrow/markets.ts';

export const BorrowError = named(
  'BorrowRefusal',
  Type.Object({
    error: Type.String({ description: 'Begins with the name of the error if a program would refuse.' }),
    code: Type.Optional(Type.Integer({ description: 'The number of that error.' })),
  }),
);

export const MarketQuery = Type.Optional(
  textFor(
    { type: 'string', enum: [...MARKETS], default: MARKETS[0] },
    'Ids of vaults and positions are those of a market.',
  ),
);
