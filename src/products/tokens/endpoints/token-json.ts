import type { Work } from '../../../common/work/work.ts';
import { displayAt } from '../../../market/mint-facts.ts';
import {
  displayedAmount,
  type MintDisplay,
  wholeTokens,
} from '../../../solana/programs/token/display-amount.ts';
import { creationTime } from '../../../tokens/creation-time.ts';
import type { Token } from '../../../tokens/facts/token.ts';
import type { WindowName } from '../../../market-data/trades/trade.ts';
import { jsonInTurns, LazyList } from '../../json-in-turns.ts';
import type { TokensServices } from './services.ts';
import type { SwapStatsJson, TokenJson } from './token-schema.ts';

/** Writes a list of tokens, in turns: there are thousands with a tag. */
export function toTokenList(
  { clock, earnRateOf }: Pick<TokensServices, 'clock' | 'earnRateOf'>,
  tokens: readonly Token[],
  work: Work,
): Promise<Buffer> {
  const now = Number(clock().unixTimestamp);
  const list = new LazyList(tokens, (token) => toTokenJson(token, { now, earnRate: earnRateOf(token.mint) }));
  return jsonInTurns(list, work);
}

/**
 * @param now - Unix time of the network in seconds, for scaled amounts.
 * @param earnRate - The rate that lenders of the token earn, in percent a year; null if it cannot be lent.
 */
export function toTokenJson(
  token: Token,
  { now, earnRate }: { readonly now: number; readonly earnRate: number | null },
): TokenJson {
  const { mint, facts, firstPool, price, holders } = token;
  const display = displayAt(facts, now);
  const multiplier = display.scale?.factor ?? 1;
  const { total, circulating } = suppliesOf(token, display);
  return {
    id: mint,
    name: token.name,
    symbol: token.symbol,
    ...known('icon', token.icon),
    decimals: facts.decimals,
    tokenProgram: facts.program,
    ...known('createdAt', firstPool === null ? null : creationTime(firstPool.createdAt)),
    ...linksOf(token),
    ...known('dev', token.creator),
    ...known('mintAuthority', facts.mintAuthority),
    ...known('freezeAuthority', facts.freezeAuthority),
    ...known('circSupply', circulating),
    ...known('totalSupply', total),
    ...known('holderCount', holders?.count ?? null),
    ...known('fdv', product(total, price?.usdPrice)),
    ...known('mcap', product(circulating, price?.usdPrice)),
    ...known('usdPrice', price?.usdPrice ?? null),
    ...known('priceBlockId', price?.slot === undefined || price.slot === null ? null : Number(price.slot)),
    ...known('liquidity', price?.liquidity ?? null),
    ...(earnRate === null ? {} : { apy: { jupEarn: earnRate } }),
    ...statsOf('stats5m', token, '5m'),
    ...statsOf('stats1h', token, '1h'),
    ...statsOf('stats6h', token, '6h'),
    ...statsOf('stats24h', token, '24h'),
    ...(firstPool === null
      ? {}
      : { firstPool: { id: firstPool.address, createdAt: creationTime(firstPool.createdAt) } }),
    audit: auditOf(token),
    ...scaledOf(token, multiplier),
    organicScore: token.organicScore,
    organicScoreLabel: token.organicLabel,
    isVerified: token.isVerified,
    tags: [...token.tags],
    updatedAt: new Date(token.updatedAt).toISOString(),
  };
}

/** Whole tokens as wallets display them. No more circulate than there are, whatever was submitted. */
function suppliesOf({ supply, details }: Token, display: MintDisplay) {
  if (supply === null) return { total: null, circulating: null };
  const total = displayedAmount(supply.total, display);
  const circulating = details.circulatingSupply ?? displayedAmount(supply.circulating, display);
  return { total, circulating: Math.min(circulating, total) };
}

function linksOf({ details }: Token) {
  const { twitter, telegram, website, discord, instagram, tiktok, otherUrl } = details;
  return {
    ...known('twitter', twitter),
    ...known('telegram', telegram),
    ...known('website', website),
    ...known('discord', discord),
    ...known('instagram', instagram),
    ...known('tiktok', tiktok),
    ...known('otherUrl', otherUrl),
  };
}

function auditOf({ facts, holders, isImitation }: Token): TokenJson['audit'] {
  return {
    ...(isImitation ? { isSus: true } : {}),
    mintAuthorityDisabled: facts.mintAuthority === null,
    freezeAuthorityDisabled: facts.freezeAuthority === null,
    ...known('topHoldersPercentage', holders?.topPercentage ?? null),
    ...known('devBalancePercentage', holders?.creatorPercentage ?? null),
    ...(facts.permanentDelegate === null ? {} : { permanentControlEnabled: true }),
    ...(facts.nonTransferable ? { soulBound: true } : {}),
    ...((facts.transferFee?.configAuthority ?? null) !== null ? { mutableFees: true } : {}),
  };
}

function scaledOf({ facts, details, price }: Token, multiplier: number) {
  if (facts.scaled === null) return {};
  const { newMultiplier, newMultiplierEffectiveAt } = facts.scaled;
  const total = wholeTokens(facts.supply, facts.decimals);
  return {
    scaledUiConfig: {
      multiplier,
      newMultiplier,
      newMultiplierEffectiveAt: secondsToIso(newMultiplierEffectiveAt),
      circSupplyPrescaled: Math.min((details.circulatingSupply ?? total * multiplier) / multiplier, total),
      totalSupplyPrescaled: total,
      ...known('usdPricePrescaled', product(multiplier, price?.usdPrice)),
    },
  };
}

function statsOf<Name extends string>(
  name: Name,
  token: Token,
  window: WindowName,
): Partial<Record<Name, SwapStatsJson>> {
  const stats = token.stats[window];
  if (stats === null) return {};
  const json: SwapStatsJson = {
    ...known('priceChange', stats.priceChange),
    ...known('holderChange', token.holderChanges[window]),
    ...known('liquidityChange', stats.liquidityChange),
    ...known('volumeChange', stats.volumeChange),
    buyVolume: stats.buyVolume,
    sellVolume: stats.sellVolume,
    ...known('buyOrganicVolume', stats.buyOrganicVolume),
    ...known('sellOrganicVolume', stats.sellOrganicVolume),
    numBuys: stats.numBuys,
    numSells: stats.numSells,
    ...known('numTraders', stats.numTraders),
    ...known('numOrganicBuyers', stats.numOrganicBuyers),
    ...known('numNetBuyers', stats.numNetBuyers),
  };
  return { [name]: json } as Partial<Record<Name, SwapStatsJson>>;
}

/** An object with the field if its value is known, and otherwise an empty one. */
function known<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): Partial<Record<Name, Value>> {
  return value === null || value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, Value>>);
}

function product(amount: number | null, price: number | undefined): number | null {
  return amount === null || price === undefined ? null : amount * price;
}

/** The greatest time that a `Date` can hold, in seconds. An extension may state any time of 64 bits. */
const MAX_SECONDS = 8_640_000_000_000;

/** A time before 1970 is shown as its beginning: such a multiplier has always been in force. */
function secondsToIso(seconds: number): string {
  return new Date(Math.min(Math.max(seconds, 0), MAX_SECONDS) * 1_000).toISOString();
}
