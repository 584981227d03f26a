import type { Token } from '../../../../tokens/facts/token.ts';
import { formatCreationTime } from '../../../../tokens/creation-time.ts';
import type { NewTokenV1Json, TokenV1Json } from './schema.ts';

export function toTokenV1Json(token: Token): TokenV1Json {
  const { facts, stats } = token;
  const day = stats['24h'];
  const json: TokenV1Json = {
    address: token.mint,
    name: token.name,
    symbol: token.symbol,
    decimals: facts.decimals,
    tags: [...token.tags],
    created_at: formatCreationTime(token.firstPool?.createdAt ?? null),
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
    created_at: formatCreationTime(firstPool?.createdAt ?? null),
    metadata_updated_at: new Date(token.updatedAt).toISOString(),
  };
  if (token.icon !== null) json.logo_uri = token.icon;
  if (facts.freezeAuthority !== null) json.freeze_authority = facts.freezeAuthority;
  if (facts.mintAuthority !== null) json.mint_authority = facts.mintAuthority;
  return json;
}
