import type { Address } from '../../../solana/address.ts';
import type { Portfolio } from '../evaluation/evaluate.ts';
import type { FetcherOutcome } from '../evaluation/run-fetcher.ts';
import type { TokenDescription } from '../evaluation/token-list.ts';
import { NETWORK } from './assets-json.ts';
import { toElementJson } from './elements-json.ts';

/** The body of the positions of a wallet. */
export function toPositionsJson({ date, owner, duration, outcomes, elements, tokens }: Portfolio): object {
  return {
    date,
    owner,
    duration,
    fetcherReports: outcomes.map(toReportJson),
    elements: elements.map(toElementJson),
    tokenInfo: toTokenInfoJson(tokens),
  };
}

/** The descriptions of tokens, by network and mint. */
export function toTokenInfoJson(tokens: ReadonlyMap<Address, TokenDescription>): object {
  return {
    [NETWORK]: Object.fromEntries([...tokens].map(([mint, token]) => [mint, toTokenDescriptionJson(token)])),
  };
}

/** Clients recognise failures by their `error` and by the missing duration. */
export function toReportJson({ fetcher: { id }, duration, error }: FetcherOutcome): object {
  return error === null ? { id, status: 'succeeded', duration } : { id, status: 'failed', error };
}

function toTokenDescriptionJson({ mint, name, symbol, decimals, logoURI, tags }: TokenDescription): object {
  return { address: mint, name, symbol, decimals, logoURI: logoURI ?? undefined, tags };
}
