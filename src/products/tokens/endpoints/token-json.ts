import type { Work } from '../../../common/work/work.ts';
import { computeMintDisplay } from '../../../market/mint-facts.ts';
import {
  toDisplayedAmount,
  type MintDisplay,
  toWholeTokens,
} from '../../../solana/programs/token/display-amount.ts';
import { formatCreationTime } from '../../../tokens/creation-time.ts';
import type { TokenLaunch } from '../../../tokens/facts/launch.ts';
import type { Token } from '../../../tokens/facts/token.ts';
import type { WindowName } from '../../../market-data/trades/trade.ts';
import { writeJsonInTurns, LazyList } from '../../json-in-turns.ts';
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
  return writeJsonInTurns(list, work);
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
  const display = computeMintDisplay(facts, now);
  const multiplier = display.scale?.factor ?? 1;
  const { total, circulating } = computeSupplies(token, display);
  return {
    id: mint,
    name: token.name,
    symbol: token.symbol,
    ...toKnownField('icon', token.icon),
    decimals: facts.decimals,
    tokenProgram: facts.program,
    ...toKnownField('createdAt', firstPool === null ? null : formatCreationTime(firstPool.createdAt)),
    ...toLinksJson(token),
    ...toKnownField('dev', token.creator),
    ...toKnownField('mintAuthority', facts.mintAuthority),
    ...toKnownField('freezeAuthority', facts.freezeAuthority),
    ...toKnownField('circSupply', circulating),
    ...toKnownField('totalSupply', total),
    ...toLaunchJson(token.launch),
    ...toKnownField('holderCount', holders?.count ?? null),
    ...toKnownField('fdv', product(total, price?.usdPrice)),
    ...toKnownField('mcap', product(circulating, price?.usdPrice)),
    ...toKnownField('usdPrice', price?.usdPrice ?? null),
    ...toKnownField(
      'priceBlockId',
      price?.slot === undefined || price.slot === null ? null : Number(price.slot),
    ),
    ...toKnownField('liquidity', price?.liquidity ?? null),
    ...(earnRate === null ? {} : { apy: { jupEarn: earnRate } }),
    ...toStatsJson('stats5m', token, '5m'),
    ...toStatsJson('stats1h', token, '1h'),
    ...toStatsJson('stats6h', token, '6h'),
    ...toStatsJson('stats24h', token, '24h'),
    ...(firstPool === null
      ? {}
      : { firstPool: { id: firstPool.address, createdAt: formatCreationTime(firstPool.createdAt) } }),
    audit: toAuditJson(token),
    ...toScaledJson(token, multiplier),
    organicScore: token.organicScore,
    organicScoreLabel: token.organicLabel,
    isVerified: token.isVerified,
    tags: [...token.tags],
    updatedAt: new Date(token.updatedAt).toISOString(),
  };
}

/** Whole tokens as wallets display them. No more circulate than there are, whatever was submitted. */
function computeSupplies({ supply, details }: Token, display: MintDisplay) {
  if (supply === null) return { total: null, circulating: null };
  const total = toDisplayedAmount(supply.total, display);
  const circulating = details.circulatingSupply ?? toDisplayedAmount(supply.circulating, display);
  return { total, circulating: Math.min(circulating, total) };
}

function toLinksJson({ details }: Token) {
  const { twitter, telegram, website, discord, instagram, tiktok, otherUrl } = details;
  return {
    ...toKnownField('twitter', twitter),
    ...toKnownField('telegram', telegram),
    ...toKnownField('website', website),
    ...toKnownField('discord', discord),
    ...toKnownField('instagram', instagram),
    ...toKnownField('tiktok', tiktok),
    ...toKnownField('otherUrl', otherUrl),
  };
}

/** The progress is there before the graduation, and the pool after it. */
function toLaunchJson(launch: TokenLaunch | null) {
  if (launch === null) return {};
  const { launchpad, config, progress, graduated } = launch;
  return {
    launchpad,
    partnerConfig: config,
    ...toKnownField('bondingCurve', progress),
    ...toKnownField('graduatedPool', graduated?.pool),
    ...toKnownField(
      'graduatedAt',
      graduated === null || graduated.at === null ? null : secondsToIso(Number(graduated.at)),
    ),
  };
}

function toAuditJson({ facts, holders, isImitation, creatorMints }: Token): TokenJson['audit'] {
  return {
    ...(isImitation ? { isSus: true } : {}),
    mintAuthorityDisabled: facts.mintAuthority === null,
    freezeAuthorityDisabled: facts.freezeAuthority === null,
    ...toKnownField('topHoldersPercentage', holders?.topPercentage ?? null),
    ...toKnownField('devBalancePercentage', holders?.creatorPercentage ?? null),
    ...toKnownField('devMints', creatorMints),
    ...(facts.permanentDelegate === null ? {} : { permanentControlEnabled: true }),
    ...(facts.nonTransferable ? { soulBound: true } : {}),
    ...((facts.transferFee?.configAuthority ?? null) !== null ? { mutableFees: true } : {}),
  };
}

function toScaledJson({ facts, details, price }: Token, multiplier: number) {
  if (facts.scaled === null) return {};
  const { newMultiplier, newMultiplierEffectiveAt } = facts.scaled;
  const total = toWholeTokens(facts.supply, facts.decimals);
  return {
    scaledUiConfig: {
      multiplier,
      newMultiplier,
      newMultiplierEffectiveAt: secondsToIso(newMultiplierEffectiveAt),
      circSupplyPrescaled: Math.min((details.circulatingSupply ?? total * multiplier) / multiplier, total),
      totalSupplyPrescaled: total,
      ...toKnownField('usdPricePrescaled', product(multiplier, price?.usdPrice)),
    },
  };
}

function toStatsJson<Name extends string>(
  name: Name,
  token: Token,
  window: WindowName,
): Partial<Record<Name, SwapStatsJson>> {
  const stats = token.stats[window];
  if (stats === null) return {};
  const json: SwapStatsJson = {
    ...toKnownField('priceChange', stats.priceChange),
    ...toKnownField('holderChange', token.holderChanges[window]),
    ...toKnownField('liquidityChange', stats.liquidityChange),
    ...toKnownField('volumeChange', stats.volumeChange),
    buyVolume: stats.buyVolume,
    sellVolume: stats.sellVolume,
    ...toKnownField('buyOrganicVolume', stats.buyOrganicVolume),
    ...toKnownField('sellOrganicVolume', stats.sellOrganicVolume),
    numBuys: stats.numBuys,
    numSells: stats.numSells,
    ...toKnownField('numTraders', stats.numTraders),
    ...toKnownField('numOrganicBuyers', stats.numOrganicBuyers),
    ...toKnownField('numNetBuyers', stats.numNetBuyers),
  };
  return { [name]: json } as Partial<Record<Name, SwapStatsJson>>;
}

/** An object with the field if its value is known, and otherwise an empty one. */
function toKnownField<Name extends string, Value>(
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
