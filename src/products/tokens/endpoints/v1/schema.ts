import { type Static, Type } from 'typebox';
import { named } from '../../../named-schema.ts';

const optionalText = (description: string) => Type.Optional(Type.String({ description }));

export const TokenV1Json = named(
  'TokenV1',
  Type.Object({
    address: Type.String({ description: 'The mint.' }),
    name: Type.String(),
    symbol: Type.String(),
    decimals: Type.Integer(),
    logoURI: optionalText('The URL of an image.'),
    tags: Type.Array(Type.String()),
    daily_volume: Type.Optional(Type.Number({ description: 'US dollars in the last 24 hours.' })),
    created_at: Type.String({ description: 'When the first pool of the token was created. ISO 8601.' }),
    minted_at: optionalText('When the mint was created. Absent: it is not known.'),
    freeze_authority: optionalText('Who can freeze accounts of the token.'),
    mint_authority: optionalText('Who can mint more.'),
    permanent_delegate: optionalText('Who can move or burn the tokens of every holder.'),
    extensions: Type.Object({}),
  }),
);
export type TokenV1Json = Static<typeof TokenV1Json>;

export const NewTokenV1Json = named(
  'NewTokenV1',
  Type.Object({
    mint: Type.String(),
    name: Type.String(),
    symbol: Type.String(),
    decimals: Type.Integer(),
    logo_uri: optionalText('The URL of an image.'),
    known_markets: Type.Array(Type.String(), { description: 'The first pool.' }),
    created_at: Type.String({ description: 'ISO 8601.' }),
    metadata_updated_at: Type.String({ description: 'When the metadata was read. ISO 8601.' }),
    freeze_authority: optionalText('Who can freeze accounts of the token.'),
    mint_authority: optionalText('Who can mint more.'),
  }),
);
export type NewTokenV1Json = Static<typeof NewTokenV1Json>;
