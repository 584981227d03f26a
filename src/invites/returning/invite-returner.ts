import type { Chain } from '../../chain/chain.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import type { Leases } from '../../common/ports/leases.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatWithPauses, type Timers, waitWithin } from '../../common/ports/timers.ts';
import type { InviteAccount } from '../../protocols/jupiter-send/invite-account.ts';
import { INVITE_PROGRAM } from '../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../solana/address.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import { simulateCost } from '../../transactions/cost/simulated-cost.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import type { GasCharge } from '../../waiting-orders/fills/gas-budget.ts';
import type { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import { createOrderGas, type OrderGas } from '../../waiting-orders/fills/order-gas.ts';
import { KeeperLead } from '../../waiting-orders/keeper/keeper-lead.ts';
import { StoppableTimers } from '../../waiting-orders/keeper/stoppable-timers.ts';
import { WalletPlaces } from '../../waiting-orders/keeper/wallet-places.ts';
import { type ChargedTransaction, submitCharged } from '../../waiting-orders/keeper/submit-charged.ts';
import type { ExpiredInvite, ExpiredInvites } from './expired-invites.ts';
import { ExpiredSweeps, type SweepLane } from './expired-sweeps.ts';
import { planReturn, readExpiredInvites, readReturnStates, type ReturnWait } from './return-plan.ts';
import { createReturnerMetrics, type ReturnerMetrics } from './returner-metrics.ts';

/** The pause before each turn. */
export const RETURN_TURN_MS = 2_000;
/** The lease of the one returner that works. */
const LEASE = 'invite-returner';
/** Expired invites that are listed at a time. A turn lists those that have newly expired once, and those that are left once. */
export const EXPIRED_PER_PAGE = 256;
/** Returns that are planned at once. */
const MAX_AT_ONCE = 16;
/** Transactions that are sent and wait for the chain. Further ones are not begun. */
const MAX_IN_FLIGHT = 64;
/** So many refused invites of one sender end the tries for that sender on a page, so that the others come sooner. */
const MAX_REFUSED_OF_SENDER = 16;
/** How long a page waits for transactions that are on their way. Then invites of senders that have too many are passed over. */
const PATIENCE_PER_PAGE_MS = 10_000;
/** How often invites are tried at one place while the network answers for none of them. Then the next ones are tried. */
const MAX_VAIN_TURNS = 5;
/** How long it takes at most to end what is being planned. */
const MAX_LAST_WORK_MS = 10_000;

/**
 * The budget of one wallet from which all returns are paid. Whoever makes returns fail on chain after their simulation, such as an
 * issuer who freezes a token at the last moment, can use any number of senders, and must leave gas for the fills of orders.
 */
const RETURNED_BY = INVITE_PROGRAM;

export interface InviteReturnerOptions {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  readonly expired: ExpiredInvites;
  /** Pays the fees, and has the rewards, which are more. */
  readonly gasWallet: Pick<GasWallet, 'keypair' | 'budget' | 'isEmpty'>;
  /** By which one of several returners leads. Null for a returner that is alone. */
  readonly leases: Leases | null;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Called when the record, the store or the chain does not answer, and when they do. */
  readonly outage: OutageLog;
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * Returns expired invites to their senders. The chain has the whole state: nothing is recorded but the gas, and what a returner
 * leaves unfinished another one sees on the chain. The program lets each invite be returned once.
 *
 * Nothing is kept in memory of an invite that cannot be returned: see `ExpiredSweeps`.
 */
export class InviteReturner {
  readonly #options: InviteReturnerOptions;
  readonly #timers: StoppableTimers;
  readonly #gas: OrderGas;
  readonly #lead: KeeperLead;
  readonly #metrics: ReturnerMetrics;
  readonly #sweeps = new ExpiredSweeps();
  /** Invites that are being planned, or whose transactions have not ended. */
  readonly #busy = new Set<Address>();
  readonly #inFlight = new Set<Promise<void>>();
  /** What does not land costs its sender nothing, so one sender could take all places for it. */
  readonly #places = new WalletPlaces(MAX_IN_FLIGHT);
  #serial = 0;
  #vainTurns = 0;
  #isDraining = false;
  #running: Promise<void> = Promise.resolve();
  #stop: () => void = () => undefined;
  #failure: string | null = null;

  constructor(options: InviteReturnerOptions) {
    const { gasWallet, leases, metrics, onDefect } = options;
    this.#options = options;
    this.#timers = new StoppableTimers(options.timers);
    this.#gas = createOrderGas(gasWallet, onDefect);
    this.#lead = new KeeperLead(leases, LEASE);
    this.#metrics = createReturnerMetrics(metrics, () => this.#inFlight.size);
  }

  start(): void {
    const work = () => {
      this.#running = this.#turn().catch((error: unknown) => this.#noteOutage(error));
      return this.#running;
    };
    this.#stop = repeatWithPauses(RETURN_TURN_MS, work, this.#timers, (error) => this.#noteOutage(error));
  }

  /** Returns why expired invites are not returned now; null when they are, or another returner leads. */
  unhealthy(): string | null {
    return this.#failure ?? this.#options.chain.unhealthy();
  }

  /** Begins nothing more. Resolves when no transaction is on its way. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#stop();
    await this.#running;
    await Promise.all(this.#inFlight);
    await this.#release();
  }

  /** Ends everything, once nothing is half begun. How a transaction ends that was sent is left to the chain. */
  async close(): Promise<void> {
    this.#isDraining = true;
    this.#stop();
    await waitWithin(this.#running, MAX_LAST_WORK_MS, this.#options.timers);
    await this.#release();
    this.#timers.stop();
  }

  async #release(): Promise<void> {
    await this.#lead
      .release()
      .catch((error: unknown) => this.#options.onDefect('a lease is not released', error));
  }

  /** What is cut short at the end is no outage. */
  #noteOutage(error: unknown): void {
    if (this.#isDraining) return;
    this.#failure = 'the network, the record of invites or the server of leases does not answer';
    this.#options.outage.onFailure(error);
  }

  async #turn(): Promise<void> {
    const { chain, gasWallet, outage } = this.#options;
    await this.#lead.renew();
    if (this.#lead.isHeld && chain.unhealthy() === null && !gasWallet.isEmpty()) {
      const { unixTimestamp: now } = chain.clock();
      this.#sweeps.begin(now);
      await this.#visit('fresh', now);
      await this.#visit('again', now);
    }
    outage.onAnswer();
    this.#failure = null;
  }

  /** Visits the next page of a lane, some invites at a time. */
  async #visit(lane: SweepLane, now: bigint): Promise<void> {
    const after = this.#sweeps.getPlace(lane);
    const page = await this.#options.expired.listExpired({ now, after, limit: EXPIRED_PER_PAGE });
    const refused = new Map<Address, number>();
    const patientUntil = this.#timers.now() + PATIENCE_PER_PAGE_MS;
    for (let at = 0; at < page.length; at += MAX_AT_ONCE) {
      if (!(await this.#mayGoOn())) return;
      const some = page.slice(at, at + MAX_AT_ONCE);
      const admitted: ExpiredInvite[] = [];
      for (const expired of some) {
        const isPassedOver = (refused.get(expired.sender) ?? 0) >= MAX_REFUSED_OF_SENDER;
        if (isPassedOver || this.#busy.has(expired.invite) || !this.#sweeps.isDue(lane, expired)) continue;
        await this.#waitForPlace(expired.sender, patientUntil);
        if (!this.#places.mayTake(expired.sender)) continue;
        this.#admit(expired);
        admitted.push(expired);
      }
      await this.#tryAll(admitted, now, refused);
      const last = some.at(-1);
      if (last !== undefined) this.#sweeps.moveOn(lane, last);
    }
    if (page.length < EXPIRED_PER_PAGE) this.#sweeps.noteEnd(lane);
  }

  /** Whether the next invites may be begun. A turn can last longer than a lease. */
  async #mayGoOn(): Promise<boolean> {
    if (this.#isDraining || this.#inFlight.size + MAX_AT_ONCE > MAX_IN_FLIGHT) return false;
    await this.#lead.renew();
    return this.#lead.isHeld && !this.#isDraining;
  }

  /** Waits until a sender may have a further transaction on its way, but no longer than the patience for a page lasts. */
  async #waitForPlace(sender: Address, until: number): Promise<void> {
    while (!this.#places.mayTake(sender) && this.#inFlight.size > 0 && !this.#isDraining) {
      const left = until - this.#timers.now();
      if (left <= 0) return;
      await waitWithin(Promise.race(this.#inFlight), left, this.#timers);
    }
  }

  #admit({ invite, sender }: ExpiredInvite): void {
    this.#busy.add(invite);
    this.#places.take(sender);
  }

  #dismiss({ invite, sender }: ExpiredInvite): void {
    this.#busy.delete(invite);
    this.#places.giveBack(sender);
  }

  /**
   * Tries invites at once.
   *
   * @param refused - Counts the refused ones of each sender.
   * @throws Error when the chain or the store has answered for none of them
   */
  async #tryAll(
    admitted: readonly ExpiredInvite[],
    now: bigint,
    refused: Map<Address, number>,
  ): Promise<void> {
    const left = new Set(admitted);
    try {
      if (left.size > 0) await this.#tryEach(left, now, refused);
    } finally {
      for (const expired of left) this.#dismiss(expired);
    }
  }

  /** @param left - Those whose transaction is on its way are taken out. */
  async #tryEach(left: Set<ExpiredInvite>, now: bigint, refused: Map<Address, number>): Promise<void> {
    const { chain, gasWallet, outage } = this.#options;
    const addresses = [...left].map(({ invite }) => invite);
    const invites = await readExpiredInvites(chain, addresses, now);
    if (invites.size === 0) return;
    const states = await readReturnStates({ chain, gasWallet: gasWallet.keypair }, invites.values());
    const failures: unknown[] = [];
    const tries = [...left].map(async (expired) => {
      const invite = invites.get(expired.invite);
      if (invite === undefined) return;
      try {
        const reason = await this.#try(expired, invite, states);
        if (reason === null) left.delete(expired);
        else this.#metrics.notReturned.add({ reason });
        if (reason === 'refused') refused.set(expired.sender, (refused.get(expired.sender) ?? 0) + 1);
      } catch (error) {
        this.#metrics.notReturned.add({ reason: 'unavailable' });
        failures.push(error);
      }
    });
    await Promise.all(tries);
    const [failure] = failures;
    if (failures.length === invites.size && ++this.#vainTurns < MAX_VAIN_TURNS) throw failure;
    this.#vainTurns = 0;
    if (failure !== undefined) outage.onFailure(failure);
  }

  /** Returns why nothing was sent; null if a transaction is on its way. */
  async #try(
    expired: ExpiredInvite,
    invite: InviteAccount,
    states: AccountStates,
  ): Promise<ReturnWait | null> {
    const { chain, describeFailure, gasWallet } = this.#options;
    const { keypair } = gasWallet;
    const dependencies = { chain, describeFailure, gasWallet: keypair };
    const plan = await planReturn(dependencies, invite, states, this.#serial++);
    if (plan.kind === 'waits') return plan.reason;
    const charge = await this.#gas.spend(RETURNED_BY, plan.lamports);
    if (charge === null) return 'gas';
    if (this.#isDraining) {
      this.#gas.giveBack(charge, plan.lamports);
      return 'unavailable';
    }
    // From here on the charge stays counted unless it is known what the transaction cost: others have seen it signed.
    const { messageBytes, lastValidBlockHeight } = plan;
    const transaction = { messageBytes, lastValidBlockHeight, signers: [keypair] };
    const wire = signTransaction(messageBytes, transaction.signers);
    const cost = await simulateCost(chain, wire, keypair.address, 'return of an invite');
    if (!('lamports' in cost)) return 'refused';
    if (cost.lamports > 0n) return 'fee';
    const flight = this.#fly(transaction, charge).finally(() => {
      this.#inFlight.delete(flight);
      this.#dismiss(expired);
    });
    this.#inFlight.add(flight);
    return null;
  }

  async #fly(transaction: ChargedTransaction, charge: GasCharge): Promise<void> {
    const { chain, describeFailure, onDefect } = this.#options;
    const context = { chain, timers: this.#timers, describeFailure, gas: this.#gas };
    try {
      const { outcome } = await submitCharged(context, transaction, charge);
      if (outcome === 'success') this.#metrics.returned.add();
      else this.#metrics.notReturned.add({ reason: outcome === 'failed' ? 'refused' : 'not-landed' });
    } catch (error) {
      onDefect('a transaction with an invite could not be sent', error);
      this.#metrics.notReturned.add({ reason: 'unavailable' });
    }
  }
}
