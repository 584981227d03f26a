import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { TOKENS } from '../../solana/known-tokens.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import type { TokenLaunches } from '../../tokens/facts/launch.ts';
import { Tokens } from '../../tokens/tokens.ts';
import { VerificationRequests } from '../../tokens/verification/requests.ts';
import { StoredTokenDecisions } from '../../tokens/verification/stored-decisions.ts';
import type { MarketData } from '../../market-data/market-data.ts';
import type { Market } from './market.ts';
import type { OpenedNetwork } from '../state/network.ts';
import type { StartContext } from '../state/start-context.ts';
import type { AppState } from '../state/state.ts';

/** How many tokens are kept in memory. */
const MAX_TOKENS = 500_000;

/** What is known of tokens, and what the operator decides about them. */
export interface OpenTokens {
  readonly tokens: Tokens;
  readonly decisions: StoredTokenDecisions;
  readonly requests: VerificationRequests;
}

/** Opens what is known of tokens, until the application is closed. */
export async function openTokens(
  { logger, toClose }: Pick<StartContext, 'logger' | 'toClose'>,
  { store }: Pick<AppState, 'store'>,
  {
    chain,
    pools,
    marketData,
    launches,
  }: Pick<Market, 'chain' | 'pools'> & { readonly marketData: MarketData; readonly launches: TokenLaunches },
  { embedded }: Pick<OpenedNetwork, 'embedded'>,
): Promise<OpenTokens> {
  const network = chain.genesisHash;
  const decisions = await StoredTokenDecisions.open({
    store,
    network,
    onDefect: (error) =>
      logger.error({ err: error }, 'decisions about tokens could not be read; those known stay'),
  });
  toClose(() => decisions.close());
  const tokens = await Tokens.open({
    chain,
    pools,
    listed: [...TOKENS, ...PROTOCOLS.flatMap(({ issuedTokens = [] }) => issuedTokens)],
    decisions,
    marketData,
    launches,
    holderIndex:
      embedded === null
        ? null
        : {
            ownersOf: (mint, owner) => embedded.tokenHolders(mint, owner),
            creatorOf: (mint) => embedded.mintCreator(mint),
          },
    timers: SYSTEM_TIMERS,
    maxTokens: MAX_TOKENS,
    onDefect: (error) => logger.warn({ err: error }, 'tokens could not be read; they are read again'),
  });
  toClose(() => tokens.close());
  return { tokens, decisions, requests: new VerificationRequests(store, network) };
}
