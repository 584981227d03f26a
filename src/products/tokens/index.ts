import type { Chain } from '../../chain/chain.ts';
import { repeatEvery, SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';
import type { TokenDecisions } from '../../tokens/decision.ts';
import type { Tokens } from '../../tokens/tokens.ts';
import type { VerificationRequests } from '../../tokens/verification/requests.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import { defineProduct, type EarnRateOf, type OpenedProduct } from '../product.ts';
import { recent, tag, top } from './endpoints/lists.ts';
import { search, searchAssets, searchUltra } from './endpoints/search.ts';
import type { TokensServices } from './endpoints/services.ts';
import { tokensV1 } from './endpoints/v1/index.ts';
import { checkEligibilityEndpoint, craftTransaction, executeVerification } from './endpoints/verify.ts';
import { settlePayments } from './verification/settle-payments.ts';

/** What requests for the verification of tokens are paid and recorded with. */
export interface TokenVerification {
  readonly decisions: TokenDecisions;
  readonly requests: VerificationRequests;
  /** The wallet that is paid; null: verification is not sold. */
  readonly receiver: Address | null;
  /** 32 bytes that all instances share, and nobody else knows. */
  readonly sealKey: Uint8Array;
}

export interface TokensDependencies {
  readonly tokens: Tokens;
  readonly tokenVerification: TokenVerification;
  readonly market: {
    readonly chain: Chain;
    readonly pools: Pools;
    readonly lookupTables: LookupTableIndex;
    readonly describeFailure: DescribeFailure;
  };
  /** The rate that lenders of a token earn here. */
  readonly earnRateOf: EarnRateOf;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (where: string, error: unknown) => void;
}

export const tokens = defineProduct({
  name: 'tokens',
  description: 'Search, lists, facts and verification of tokens.',
  basePaths: ['/tokens', '/_datapi/v1/assets'],
  errorSections: [{ heading: 'Tokens' }],
  examples: [{ title: 'tokens by a symbol', path: search.path, query: { query: 'JUP' } }],
  endpoints: [
    search,
    searchUltra,
    searchAssets,
    tag,
    recent,
    top,
    checkEligibilityEndpoint,
    craftTransaction,
    executeVerification,
    ...tokensV1,
  ],
  open: openTokensProduct,
});

/** How often payments are looked for whose sender got no answer. */
const SETTLE_EVERY_MS = 30_000;
/** Longer than the request that sends a payment waits for it. */
const UNSETTLED_AFTER_MS = 150_000;

function openTokensProduct({
  tokens,
  tokenVerification,
  market: { chain, pools, lookupTables, describeFailure },
  earnRateOf,
  onDefect,
}: TokensDependencies): OpenedProduct<TokensServices> {
  const { decisions, requests, receiver, sealKey } = tokenVerification;
  let serial = 0;
  const express = {
    chain,
    pools,
    lookupTables,
    describeFailure,
    timers: SYSTEM_TIMERS,
    tokens,
    decisions,
    requests,
    receiver,
    sealKey,
    nextSerial: () => serial++,
  };
  let settling: Promise<void> | null = null;
  const settle = () => {
    settling ??= settlePayments(express, UNSETTLED_AFTER_MS)
      .catch((error: unknown) => onDefect('payments for the verification of tokens', error))
      .finally(() => {
        settling = null;
      });
  };
  settle();
  const stop = repeatEvery(SETTLE_EVERY_MS, settle);
  return {
    services: { tokens, pools, earnRateOf, clock: () => chain.clock(), now: SYSTEM_TIMERS.now, express },
    close: async () => {
      stop();
      await settling;
    },
  };
}
