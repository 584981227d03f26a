import type { Account, AccountUpdate } from '../../../chain/accounts.ts';
import { type Chain, ChainUnavailable } from '../../../chain/chain.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { FillRefusal, Prospects } from './co-signing.ts';
import type { FillTerms } from '../../../swaps/fill-terms.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../../solana/programs/token/account.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { toNullIfUnavailable } from '../../../transactions/submit/submit-and-read.ts';
import { getWatchedFillAccounts, type WatchedFillAccounts } from './fill-accounts.ts';
import {
  type TakerCommitment,
  type TakerCommitments,
  getPayableAtoms,
  sumSpending,
  getTokenBalance,
} from './taker-commitments.ts';
import type { StoredOrder } from '../../../swaps/orders/stored-order.ts';
import type { DescribeFailure } from '../../../transactions/transaction-failure.ts';

export interface ProspectDependencies {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly commitments: TakerCommitments;
  readonly describeFailure: DescribeFailure;
}

/**
 * How many blocks a maker's ten seconds take on a cluster. A swap with fewer left might not land after it is signed.
 */
const MIN_BLOCKS_LEFT = 25n;
/** A subscription over an outside RPC may begin some time after it was requested. */
const LOOK_AGAIN_MS = 1_000;
/** The most simulations of one swap while its maker decides, however often the taker's accounts change. */
const MAX_SIMULATIONS = 32;

/** A swap that its taker has signed, on its way to its maker. */
export interface OfferedFill {
  readonly order: StoredOrder;
  readonly terms: FillTerms;
  /** The transaction with the taker's signature. */
  readonly wire: Uint8Array;
  /** Null for an order that was stored by a version that did not record what it spends. */
  readonly commitment: TakerCommitment | null;
  /** Lamports that the maker's wallet must hold for the swap; absent if the maker pays none. */
  readonly makerLamports?: bigint;
}

/** Returns the refusal of a swap that might not land after its maker has signed it; null if enough blocks are left. */
export function checkBlocksLeft(chain: Chain, { lastValidBlockHeight }: StoredOrder): FillRefusal | null {
  const height = chain.blockHeight('confirmed');
  if (height + MIN_BLOCKS_LEFT <= lastValidBlockHeight) return null;
  const reason = `the order had to be executed ${MIN_BLOCKS_LEFT} blocks before block height ${lastValidBlockHeight}, and the network is at ${height}`;
  return { refused: 'expired', reason };
}

/** Returns why a swap must not be offered to its maker: too few blocks are left, or its check refuses it; null if it may be. */
export async function checkBeforeOffer(
  dependencies: ProspectDependencies,
  swap: OfferedFill,
): Promise<FillRefusal | null> {
  return checkBlocksLeft(dependencies.chain, swap.order) ?? checkNow(dependencies, swap);
}

/**
 * Checks a swap that its taker has signed, before inventory is reserved for it and before the maker sees it. It must
 * succeed in a simulation without the maker's signature, and be covered by what the taker's account holds beyond all its
 * other open swaps. The check costs one simulation. If the account has other open swaps, it also costs at most two reads
 * of the account and one of their statuses.
 * Returns null if the swap may be offered to its maker.
 * @throws ChainUnavailable if the network does not answer
 */
export async function checkNow(
  dependencies: ProspectDependencies,
  swap: OfferedFill,
): Promise<FillRefusal | null> {
  const [failure, lack] = await Promise.all([
    simulateFill(dependencies, swap),
    findCommitmentLack(dependencies, swap),
  ]);
  if (failure !== null) return { refused: 'rejected', reason: `the swap would fail now: ${failure}` };
  return lack === null ? null : { refused: 'rejected', reason: lack };
}

/** Returns why a simulation without the maker's signature fails; null if it succeeds. */
async function simulateFill(
  { chain, describeFailure }: ProspectDependencies,
  { wire }: OfferedFill,
): Promise<string | null> {
  const { error, logs } = await chain.simulate(wire, { verifySignatures: false });
  return error === null ? null : describeFailure(error, logs).message;
}

/** Returns why the taker's account does not cover the swap after the open ones before it; null if it does. */
async function findCommitmentLack(
  { chain, commitments }: ProspectDependencies,
  { commitment }: OfferedFill,
): Promise<string | null> {
  if (commitment === null) return null;
  const before = commitments.before(commitment);
  if (before.length === 0) return null;
  const lack = describeShortfall(commitment, before, await readPayableAtoms(chain, commitment));
  const signed = before.flatMap(({ isSigned, signature }) =>
    isSigned && signature !== null ? [signature] : [],
  );
  if (lack === null || signed.length === 0) return lack;
  // A landed swap is no longer in the account. The statuses are read first, so that the balance is never older.
  const statuses = await chain.signatureStatuses(signed);
  const landed = new Set(signed.filter((_, index) => statuses[index] != null));
  const waiting = before.filter(({ signature }) => signature === null || !landed.has(signature));
  return describeShortfall(commitment, waiting, await readPayableAtoms(chain, commitment));
}

async function readPayableAtoms(chain: Chain, { spending }: TakerCommitment): Promise<bigint> {
  const [found] = await chain.getAccounts([spending.account]);
  return getPayableAtoms(spending, found?.account);
}

function describeShortfall(
  { spending }: TakerCommitment,
  before: readonly TakerCommitment[],
  held: bigint,
): string | null {
  const promised = sumSpending(before);
  if (held - promised >= spending.amount) return null;
  return `the swap takes ${spending.amount} atoms of ${spending.account}, which holds ${held}, and other open swaps of the taker take ${promised}`;
}

/**
 * Returns why the swap cannot succeed now; null if it can, or if only its maker is to blame, who must not be excused for
 * tokens that it moved away itself.
 */
export async function findObstacleNow(
  dependencies: ProspectDependencies,
  swap: OfferedFill,
): Promise<string | null> {
  const { chain } = dependencies;
  const { terms, order, makerLamports = 0n } = swap;
  const { spends } = order;
  const height = chain.blockHeight('confirmed');
  if (height > order.lastValidBlockHeight) {
    return `the swap can no longer land: its last block height was ${order.lastValidBlockHeight}, and the network is at ${height}`;
  }
  const failure = await simulateFill(dependencies, swap);
  if (failure === null) return null;
  const { maker, from = maker, to = maker } = terms;
  const read = await chain.getAccounts([spends?.account ?? order.taker, from, to, maker]);
  const [taker, paying, receiving, wallet] = read.map(({ account }) => account);
  const takerPays = spends === undefined || getPayableAtoms(spends, taker) >= spends.amount;
  const makerPays =
    terms.from === undefined || (isUsable(paying, maker) && getTokenBalance(paying) >= terms.most);
  const makerReceives = terms.to === undefined || isUsable(receiving, maker);
  const makerAffords = (wallet?.lamports ?? 0n) >= makerLamports;
  return takerPays && !(makerPays && makerReceives && makerAffords)
    ? null
    : `the swap can no longer succeed: ${failure}`;
}

/**
 * Whether the maker's token account exists, belongs to the maker, and has none of the extensions that only its owner
 * can enable and that make transfers fail. A frozen account is not the maker's doing.
 */
function isUsable(account: Account | null | undefined, maker: Address): boolean {
  if (account == null || !isTokenProgram(account.owner) || !isTokenAccount(account.data)) return false;
  try {
    const { owner, extensions } = decodeTokenAccount(account.data);
    return owner === maker && !extensions.some(({ type, data }) => BY_OWNER.has(type) && data[0] === 1);
  } catch (error) {
    if (error instanceof LayoutInvalid) return false;
    throw error;
  }
}

/**
 * Extensions that the owner of a token account can enable and disable, and that make the transfers of a fill fail.
 */
const BY_OWNER: ReadonlySet<number> = new Set([ExtensionType.MEMO_TRANSFER, ExtensionType.CPI_GUARD]);

/**
 * Tracks whether a fill can still succeed while its maker decides. It receives changes of what the taker pays from and is
 * paid into from before they are first read, so that none is missed. While the maker has the fill, each change causes another
 * simulation of the swap, at most `MAX_SIMULATIONS`.
 */
export class FillProspects implements Prospects {
  readonly #dependencies: ProspectDependencies;
  readonly #swap: OfferedFill;
  readonly #accounts: WatchedFillAccounts;
  #stopTimer: () => void = () => {};
  #onHopeless: ((reason: string) => void) | null = null;
  /** Why the swap cannot succeed, if that was found before `watch` was called. */
  #reason: string | null = null;
  #isStale = false;
  #isLooking = false;
  #isClosed = false;
  #simulationsLeft = MAX_SIMULATIONS;

  constructor(dependencies: ProspectDependencies, swap: OfferedFill) {
    this.#dependencies = dependencies;
    this.#swap = swap;
    this.#accounts = getWatchedFillAccounts(swap.order, swap.terms);
  }

  /** The accounts whose changes `accountsChanged` has to receive. */
  get watched(): readonly Address[] {
    return this.#accounts.watched;
  }

  watch(onHopeless: (reason: string) => void): void {
    this.#onHopeless = onHopeless;
    const again = this.#dependencies.timers.after(LOOK_AGAIN_MS, () => this.#look());
    this.#stopTimer = again;
    const reason = this.#reason;
    if (reason !== null) queueMicrotask(() => this.#end(reason));
    else if (this.#isStale) this.#look();
  }

  obstacle(): Promise<string | null> {
    return findObstacleNow(this.#dependencies, this.#swap).catch((error: unknown) => {
      if (!(error instanceof ChainUnavailable)) throw error;
      return `the network does not say whether the swap could have succeeded: ${error.message}`;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
  }

  /** Called with each change of the watched accounts. */
  accountsChanged(updates: readonly AccountUpdate[]): void {
    if (this.#isClosed) return;
    const shut = updates.find((update) => this.#accounts.isShut(update));
    if (shut !== undefined) {
      this.#end(
        `the swap can no longer succeed: ${shut.address} was given away, or its owner has it refuse transfers`,
      );
      return;
    }
    const { commitment } = this.#swap;
    const paying = updates.find(({ address }) => address === commitment?.spending.account);
    if (commitment !== null && paying !== undefined) {
      // A signed swap may be what has changed the balance, and the chain decides it.
      const waiting = this.#dependencies.commitments.before(commitment).filter(({ isSigned }) => !isSigned);
      const lack = describeShortfall(
        commitment,
        waiting,
        getPayableAtoms(commitment.spending, paying.account),
      );
      if (lack !== null) {
        this.#end(`the swap can no longer succeed: ${lack}`);
        return;
      }
    }
    // The pools of a route change all the time, and are nobody's doing.
    if (updates.some(({ address }) => this.#accounts.own.has(address))) this.#look();
  }

  #look(): void {
    this.#isStale = true;
    if (this.#onHopeless !== null && !this.#isLooking) void this.#simulateWhileStale();
  }

  async #simulateWhileStale(): Promise<void> {
    this.#isLooking = true;
    while (this.#isStale && !this.#isClosed && this.#simulationsLeft > 0) {
      this.#isStale = false;
      this.#simulationsLeft--;
      // If the network does not answer for a moment, the maker keeps its time.
      const obstacle = await findObstacleNow(this.#dependencies, this.#swap).catch(toNullIfUnavailable);
      if (obstacle !== null) this.#end(obstacle);
    }
    this.#isLooking = false;
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#reason = reason;
    if (this.#onHopeless === null) return;
    this.close();
    this.#onHopeless(reason);
  }
}

/**
 * Watches what the taker of a swap pays from and is paid into while the maker lands the swap itself. A taker that moves its
 * funds away and back, or shuts its account for a while, has the maker try in vain, and looks innocent in the end.
 *
 * @param onObstacle - Called once with why the swap could not succeed, unless only its maker is to blame.
 * @returns a function that ends the watching
 */
export function watchForObstacle(
  dependencies: ProspectDependencies,
  swap: OfferedFill,
  onObstacle: (reason: string) => void,
): () => void {
  const prospects = new FillProspects(dependencies, swap);
  prospects.watch(onObstacle);
  const stopWatch = dependencies.chain.watchAccounts(prospects.watched, (updates) =>
    prospects.accountsChanged(updates),
  );
  return () => {
    stopWatch();
    prospects.close();
  };
}
