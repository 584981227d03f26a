import {
  type Account,
  type AccountUpdate,
  type Chain,
  ChainUnavailable,
  type LandedTransaction,
} from '../../../chain/chain.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { FillTerms, Prospects } from '../../../rfq/index.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../../solana/programs/token/account.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { ifUnavailable } from '../../../transactions/submit-and-read.ts';
import type { SubmittableTransaction } from '../../../transactions/submit-and-confirm.ts';
import { type OpenFill, type OpenFills, payable, sumOf, tokensIn } from './open-fills.ts';
import type { StoredOrder } from './stored-order.ts';
import { transactionFailure } from '../../../transactions/transaction-failure.ts';

export interface ProspectParts {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly openFills: OpenFills;
}

/** Blocks that a maker's ten seconds take on a cluster: a swap with fewer left might not land once it is signed. */
const MIN_BLOCKS_LEFT = 25n;
/** A subscription over an outside RPC may begin some time after it was asked for. */
const LOOK_AGAIN_MS = 1_000;
/** Simulations of one swap while its maker has it, however often somebody touches the taker's accounts. */
const MAX_SIMULATIONS = 32;

/** Why a swap is not offered to its maker. */
export interface NotOffered {
  readonly refused: 'expired' | 'rejected';
  readonly reason: string;
}

/** A swap that its taker has signed, on its way to its maker. */
export interface OfferedFill {
  readonly order: StoredOrder;
  readonly terms: FillTerms;
  readonly transaction: SubmittableTransaction;
  /** Null for an order that was written down before it said what it spends. */
  readonly open: OpenFill | null;
}

/**
 * Looks at a swap that its taker has signed before anything of the maker is reserved for it or pushed to it: it must
 * have blocks left, succeed in a simulation without the maker's signature, and be covered by what the taker's account
 * holds beyond all its other open swaps. Null when it may be offered. Costs one simulation; where the
 * account has other open swaps, also two reads of it at most and one of their statuses.
 * @throws ChainUnavailable when the network does not answer
 */
export async function checkBeforeOffer(parts: ProspectParts, swap: OfferedFill): Promise<NotOffered | null> {
  const { chain } = parts;
  const { lastValidBlockHeight } = swap.order;
  const height = chain.blockHeight('confirmed');
  if (height + MIN_BLOCKS_LEFT > lastValidBlockHeight) {
    const reason = `the order had to be executed ${MIN_BLOCKS_LEFT} blocks before block height ${lastValidBlockHeight}, and the network is at ${height}`;
    return { refused: 'expired', reason };
  }
  const [failure, lack] = await Promise.all([failureNow(parts, swap), lackBeside(parts, swap)]);
  if (failure !== null) return { refused: 'rejected', reason: `the swap would fail now: ${failure}` };
  return lack === null ? null : { refused: 'rejected', reason: lack };
}

/**
 * Whether the fill of a transaction that failed did so because the maker no longer held what it had signed for, or no
 * longer had one of the two token accounts that the fill uses.
 */
export function isBrokenByMaker({ coSigner, spends }: StoredOrder, landed: LandedTransaction): boolean {
  if (coSigner?.from === undefined || landed.error === null) return false;
  const { maker, from, to, most } = coSigner;
  const { accounts, preBalances, preTokenBalances } = landed;
  const heldIn = (account: Address) => preTokenBalances.find((each) => each.account === account);
  const tokensOf = (account: Address): bigint => heldIn(account)?.amount ?? 0n;
  const receives = to === undefined || heldIn(to)?.owner === maker;
  if (receives && heldIn(from)?.owner === maker && tokensOf(from) >= most) return false;
  if (spends === undefined) return true;
  const lamports = preBalances[accounts.indexOf(spends.account)] ?? 0n;
  const had = spends.isNative ? lamports : tokensOf(spends.account);
  return had >= spends.amount;
}

/**
 * Atoms that the maker's paying account was short of when the fill failed; 0 when that is not why, or not the only
 * reason for which the fill is broken by its maker.
 */
export function shortfallOf({ coSigner }: StoredOrder, { preTokenBalances }: LandedTransaction): bigint {
  if (coSigner?.from === undefined) return 0n;
  const { maker, from, to, most } = coSigner;
  const ownedIn = (account: Address) =>
    preTokenBalances.find((each) => each.account === account && each.owner === maker);
  const paying = ownedIn(from);
  if (paying === undefined || (to !== undefined && ownedIn(to) === undefined)) return 0n;
  return paying.amount < most ? most - paying.amount : 0n;
}

/** Why the swap would fail, by a simulation without the maker's signature; null when it would succeed. */
async function failureNow({ chain }: ProspectParts, { transaction }: OfferedFill): Promise<string | null> {
  const { error, logs } = await chain.simulate(transaction.wire, { verifySignatures: false });
  return error === null ? null : transactionFailure(error, logs).message;
}

/** Why the taker's account does not cover the swap beside the open ones before it; null when it does. */
async function lackBeside(
  { chain, openFills }: ProspectParts,
  { open }: OfferedFill,
): Promise<string | null> {
  if (open === null) return null;
  const before = openFills.before(open);
  if (before.length === 0) return null;
  const lack = lackOf(open, before, await payableNow(chain, open));
  const signed = before.filter(({ isSigned }) => isSigned).map(({ signature }) => signature);
  if (lack === null || signed.length === 0) return lack;
  // What has landed is no longer in the account. Asked first, so that the balance is never older than the answer.
  const statuses = await chain.signatureStatuses(signed);
  const landed = new Set(signed.filter((_, index) => statuses[index] != null));
  const waiting = before.filter(({ signature }) => !landed.has(signature));
  return lackOf(open, waiting, await payableNow(chain, open));
}

async function payableNow(chain: Chain, { spending }: OpenFill): Promise<bigint> {
  const [found] = await chain.getAccounts([spending.account]);
  return payable(spending, found?.account);
}

function lackOf({ spending }: OpenFill, before: readonly OpenFill[], held: bigint): string | null {
  const promised = sumOf(before);
  if (held - promised >= spending.amount) return null;
  return `the swap takes ${spending.amount} atoms of ${spending.account}, which holds ${held}, and other open swaps of the taker take ${promised}`;
}

/**
 * Why the swap cannot succeed now, unless that is its maker's own fault: what the maker moves away it must not be
 * excused for.
 */
async function obstacleNow(parts: ProspectParts, swap: OfferedFill): Promise<string | null> {
  const { chain } = parts;
  const { terms, order } = swap;
  const { spends } = order;
  const height = chain.blockHeight('confirmed');
  if (height > order.lastValidBlockHeight) {
    return `the swap can no longer land: its last block height was ${order.lastValidBlockHeight}, and the network is at ${height}`;
  }
  const failure = await failureNow(parts, swap);
  if (failure === null) return null;
  const { maker, from = maker, to = maker } = terms;
  const read = await chain.getAccounts([spends?.account ?? order.taker, from, to]);
  const [taker, paying, receiving] = read.map(({ account }) => account);
  const takerPays = spends === undefined || payable(spends, taker) >= spends.amount;
  const makerPays = terms.from === undefined || (isUsable(paying, maker) && tokensIn(paying) >= terms.most);
  const makerReceives = terms.to === undefined || isUsable(receiving, maker);
  return takerPays && !(makerPays && makerReceives) ? null : `the swap can no longer succeed: ${failure}`;
}

/**
 * Whether the maker has left its token account such that a fill can use it: it exists, is the maker's, and nothing that
 * only its owner can switch on keeps transfers out. A frozen account is not the maker's doing.
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

/** Extensions that the owner of a token account switches on and off, and that make the transfers of a fill fail. */
const BY_OWNER: ReadonlySet<number> = new Set([ExtensionType.MEMO_TRANSFER, ExtensionType.CPI_GUARD]);

/**
 * Watches the accounts that the taker pays with, from before they are looked at for the first time, so that no change is
 * missed. While the maker has the swap, a change has it simulated again, at most `MAX_SIMULATIONS` times.
 */
export class FillProspects implements Prospects {
  readonly #parts: ProspectParts;
  readonly #swap: OfferedFill;
  readonly #stopWatch: () => void;
  #stopTimer: () => void = () => {};
  #onHopeless: ((reason: string) => void) | null = null;
  /** Why the swap is hopeless, when that was found before anybody asked. */
  #reason: string | null = null;
  #isStale = false;
  #isLooking = false;
  #isClosed = false;
  #simulationsLeft = MAX_SIMULATIONS;

  constructor(parts: ProspectParts, swap: OfferedFill) {
    this.#parts = parts;
    this.#swap = swap;
    const { order, open } = swap;
    const watched = new Set([order.taker, open?.spending.account ?? order.taker]);
    this.#stopWatch = parts.chain.watchAccounts([...watched], (updates) => this.#changed(updates));
  }

  watch(onHopeless: (reason: string) => void): void {
    this.#onHopeless = onHopeless;
    const again = this.#parts.timers.after(LOOK_AGAIN_MS, () => this.#look());
    this.#stopTimer = again;
    const reason = this.#reason;
    if (reason !== null) queueMicrotask(() => this.#end(reason));
    else if (this.#isStale) this.#look();
  }

  obstacle(): Promise<string | null> {
    return obstacleNow(this.#parts, this.#swap).catch((error: unknown) => {
      if (!(error instanceof ChainUnavailable)) throw error;
      return `the network does not say whether the swap could have succeeded: ${error.message}`;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWatch();
    this.#stopTimer();
  }

  #changed(updates: readonly AccountUpdate[]): void {
    const { open } = this.#swap;
    const paying = updates.find(({ address }) => address === open?.spending.account);
    if (open !== null && paying !== undefined) {
      // Signed ones are the chain's to decide, and may be what has changed the balance.
      const waiting = this.#parts.openFills.before(open).filter(({ isSigned }) => !isSigned);
      const lack = lackOf(open, waiting, payable(open.spending, paying.account));
      if (lack !== null) {
        this.#end(`the swap can no longer succeed: ${lack}`);
        return;
      }
    }
    this.#look();
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
      // A network that is silent for a moment ends nothing before the maker's time is over.
      const obstacle = await obstacleNow(this.#parts, this.#swap).catch(ifUnavailable);
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
