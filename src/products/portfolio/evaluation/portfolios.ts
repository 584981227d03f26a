import { ConcurrencyLimit } from '../../../common/collections/concurrency-limit.ts';
import { getCurrentWorker, getShareHolder } from '../../../common/party.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { createUnaccountedWork, type Work, WorkRefused } from '../../../common/work/work.ts';
import { createUndecodable, type Chain, requireAvailable } from '../../../chain/chain.ts';
import type { PositionFetcher, WalletReader } from '../../../protocol/positions/fetcher.ts';
import { type GovernanceStake, readGovernanceStake } from '../../../protocols/jupiter-governance/stake.ts';
import { openWalletReader } from '../../../protocol/positions/wallet-reader.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { evaluate, type EvaluationDependencies, type Portfolio } from './evaluate.ts';
import { toWholeTokens } from '../../../solana/programs/token/display-amount.ts';

/** A request for the positions of one wallet. */
export interface PositionsRequest {
  readonly owner: Address;
  /** The ids of the requested platforms; null for all. */
  readonly platforms: ReadonlySet<string> | null;
  /** Whether tokens that are probably spam are left out. */
  readonly hideSpam: boolean;
}

export interface PortfoliosOptions extends EvaluationDependencies {
  readonly chain: Pick<Chain, 'openView' | 'slot' | 'unhealthy'>;
  /** The fetchers of all protocols, in the order of their reports. */
  readonly fetchers: readonly PositionFetcher[];
  /** Default: 50,000. */
  readonly maxKeptAccounts?: number;
}

/** Positions are read at `confirmed`: what wallets show should practically never be rolled back. */
const COMMITMENT = 'confirmed';
/**
 * The most accounts that the cached answers were read from, in total. A wallet can have thousands, and it has one
 * answer for each selection of platforms.
 */
const MAX_KEPT_ACCOUNTS = 50_000;
/**
 * The most wallets that are evaluated at once. Valuing takes time on this thread, for which other requests have to
 * wait.
 */
const MAX_EVALUATED = 6;
/** The most wallets that may wait to be evaluated. */
const MAX_WAITING = 500;

/** The JUP that a wallet has staked to vote with, in whole tokens. */
export interface StakedJup {
  readonly stakedAmount: number;
  /** `until` is Unix ms. */
  readonly unstaking: readonly { readonly amount: number; readonly until: number }[];
}

const JUP_DECIMALS = 6;

/** The answers as of the newest slot. */
interface KeptAnswers {
  readonly slot: bigint;
  /** Those that all callers share, by request; the others, by the holder of a share and the request. */
  readonly answers: Map<string, Promise<Portfolio>>;
  /** The number of accounts that the finished answers were read from. */
  accounts: number;
}

/**
 * The positions of wallets. Requests for the same wallet at the same slot share one evaluation. All callers share one
 * that has read everything. One that is running, or that could not read something, is shared only within an organisation,
 * or by the callers without a key: a caller that has used up its calls must not make the answers of others incomplete.
 *
 * @example
 * ```ts
 * import type { Address } from '../../../solana/address.ts';
 * import type { Portfolios } from './portfolios.ts';
 *
 * // The dollars of all positions whose value is known.
 * async function worthOf(portfolios: Portfolios, owner: Address): Promise<number> {
 *   const { elements } = await portfolios.of({ owner, platforms: null, hideSpam: true });
 *   return elements.reduce((sum, { value }) => sum + (value ?? 0), 0);
 * }
 * ```
 */
export class Portfolios {
  readonly #options: PortfoliosOptions;
  readonly #turns = new ConcurrencyLimit(
    MAX_EVALUATED,
    MAX_WAITING,
    () => new Unavailable(`${MAX_WAITING} wallets wait for their positions already`),
  );
  #kept: KeptAnswers = createStoredAnswers(-1n);

  constructor(options: PortfoliosOptions) {
    this.#options = options;
  }

  /**
   * Reads and values every position of a wallet.
   *
   * @param work - Whose turns it is done in. Default: nobody's.
   * @throws ChainUnavailable when the network cannot be relied on now
   * @throws Unavailable when too many wallets wait already
   */
  async of(request: PositionsRequest, work: Work = createUnaccountedWork()): Promise<Portfolio> {
    const { chain, fetchers } = this.#options;
    requireAvailable(chain);
    const slot = chain.slot(COMMITMENT);
    if (this.#kept.slot !== slot) this.#kept = createStoredAnswers(slot);
    const { answers } = this.#kept;
    const key = toPortfolioKey(request);
    const own = `${getShareHolder(getCurrentWorker())} ${key}`;
    const known = answers.get(key) ?? answers.get(own);
    // Whoever began the evaluation may have been refused, or have left.
    if (known !== undefined) return known.catch((error: unknown) => this.#again(error, request, work));
    const wanted = { ...request, fetchers };
    const portfolio = this.#turns.run(false, () =>
      evaluate(chain.openView(COMMITMENT), wanted, this.#options, work),
    );
    answers.set(own, portfolio);
    this.#bound(this.#kept, { own, key }, portfolio);
    return portfolio;
  }

  #again(error: unknown, request: PositionsRequest, work: Work): Promise<Portfolio> {
    if (!(error instanceof WorkRefused)) throw error;
    return this.of(request, work);
  }

  /**
   * Drops a refusal from the cache, and all answers once they were read from too many accounts. All callers share a
   * complete answer from now on.
   */
  #bound(
    kept: KeptAnswers,
    { own, key }: { readonly own: string; readonly key: string },
    portfolio: Promise<Portfolio>,
  ): void {
    const { maxKeptAccounts = MAX_KEPT_ACCOUNTS } = this.#options;
    portfolio.then(
      ({ accounts, outcomes }) => {
        kept.accounts += accounts.length;
        if (kept.accounts > maxKeptAccounts) {
          kept.answers.clear();
          kept.accounts = 0;
        } else if (outcomes.every(({ error, isLeftOut }) => error === null || isLeftOut === true)) {
          kept.answers.delete(own);
          kept.answers.set(key, portfolio);
        }
      },
      () => kept.answers.delete(own),
    );
  }

  /**
   * Reads the stake of a wallet in JUP's locker.
   *
   * @throws ChainUnavailable when the network does not answer, or returns an account that cannot be decoded
   */
  async stakedJup(owner: Address): Promise<StakedJup> {
    const { chain, onDefect, timers } = this.#options;
    requireAvailable(chain);
    const stake = await readStake(openWalletReader(chain.openView(COMMITMENT), owner, [], onDefect, timers));
    if (stake === null) return { stakedAmount: 0, unstaking: [] };
    return {
      stakedAmount: toWholeTokens(stake.escrow.amount, JUP_DECIMALS),
      unstaking: stake.unstaking.map(({ amount, expiration }) => ({
        amount: toWholeTokens(amount, JUP_DECIMALS),
        until: Number(expiration) * 1_000,
      })),
    };
  }
}

/** Reads the whole stake, or throws: the answer has no place for what could not be read. */
async function readStake(wallet: WalletReader): Promise<GovernanceStake | null> {
  try {
    const stake = await readGovernanceStake(wallet);
    const [unreadable] = stake?.unreadable ?? [];
    if (unreadable !== undefined) throw createUndecodable(`${unreadable.address}: ${unreadable.reason}`);
    return stake;
  } catch (error) {
    if (error instanceof LayoutInvalid) throw createUndecodable(error.message);
    throw error;
  }
}

function createStoredAnswers(slot: bigint): KeptAnswers {
  return { slot, answers: new Map(), accounts: 0 };
}

function toPortfolioKey({ owner, platforms, hideSpam }: PositionsRequest): string {
  return `${owner} ${hideSpam} ${platforms === null ? '*' : [...platforms].sort().join(',')}`;
}
