import type { Chain } from '../chain/chain.ts';
import { AGGREGATOR_PROGRAM_ACCOUNTS } from '../market/aggregator/interface/aggregator-accounts.ts';
import type { Pools } from '../market/pools/pools.ts';
import { PROTOCOLS } from '../protocols/index.ts';
import {
  type AccountDecoder,
  createAccountDecoder,
} from '../transactions/decoding/accounts/decode-account.ts';
import { createDecoderFacts } from './transaction-decoder.ts';

/** What the decoder of accounts reads from. */
export interface AccountMarket {
  readonly chain: Pick<Chain, 'getAccounts'>;
  readonly pools: Pick<Pools, 'find'>;
}

/** Creates the decoder by which accounts are shown to people, with the programs of all protocols. */
export function createAppAccountDecoder(market: AccountMarket): AccountDecoder {
  return createAccountDecoder({
    ...createDecoderFacts(market),
    accounts: [AGGREGATOR_PROGRAM_ACCOUNTS, ...PROTOCOLS.flatMap(({ accounts = [] }) => accounts)],
  });
}
