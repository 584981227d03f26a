import type { Token } from '../../../../tokens/token.ts';
import type { NewTokenV1Json, TokenV1Json } from './schema.ts';

/** What the public service answers for tokens that are older than its index. The field is required. */
const BEFORE_THE_INDEX = '2024-06-05T08:55:25.527Z';

export function toTokenV1Json(token: Token): TokenV1Json {
  const { facts, stats } = token;
  const day = stats['24h'];
  const json: TokenV1Json = {
    address: token.mint,
    name: token.name,
    symbol: token.symbol,
    decimals: facts.decimals,
    tags: [...token.tags],
    created_at: createdAt(token),
    extensions: {},
  };
  if (token.icon !== null) json.logoURI = token.icon;
  if (day !== null) json.daily_volume = day.buyVolume + day.sellVolume;
  if (facts.freezeAuthority !== null) json.freeze_authority = facts.freezeAuthority;
  if (facts.mintAuthority !== null) json.mint_authority = facts.mintAuthority;
  if (facts.permanentDelegate !== null) json.permanent_delegate = facts.permanentDelegate;
  return json;
}

export function toNewTokenV1Json(token: Token): NewTokenV1Json {
  const { facts, firstPool } = token;
  const json: NewTokenV1Json = {
    mint: token.mint,
    name: token.name,
    symbol: token.symbol,
    decimals: facts.decimals,
    known_markets: firstPool === null ? [] : [firstPool.address],
    created_at: createdAt(token),
    metadata_updated_at: new Date(token.updatedAt).toISOString(),
  };
  if (token.icon !== null) json.logo_uri = token.icon;
  if (facts.freezeAuthority !== null) json.freeze_authority = facts.freezeAuthority;
  if (facts.mintAuthority !== null) json.mint_authority = facts.mintAuthority;
  return json;
}

function createdAt({ firstPool }: Token): string {
  const at = firstPool?.createdAt ?? null;
  return at === null ? BEFORE_THE_INDEX : new Date(at).toISOString();
}
