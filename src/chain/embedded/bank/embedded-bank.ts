import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';
import type { Address } from '../../../solana/address.ts';
import type {
  Bank,
  SimulateOptions,
  SimulateOutcome,
  SimulationOutcomeOrMalformed,
  SubmitOptions,
  SubmitOutcome,
} from '../ledger/bank.ts';
import { NetworkRefused } from '../ledger/bank.ts';
import { BankAdmin } from './bank-admin.ts';
import type { BankOptions } from './bank-options.ts';
import { BankReads } from './bank-reads.ts';
import { EpochKeeper } from '../slots/epoch-keeper.ts';
import { Faucet } from './faucet.ts';
import { PriceProcess } from '../prices/price-process.ts';
import { FaultPlan, NO_FAULTS } from '../blocks/faults.ts';
import { NextFaults } from '../blocks/next-faults.ts';
import { type IncomingTransaction, parseIncoming } from '../ledger/incoming-transaction.ts';
import type { ProcessedTransaction } from '../runtime/process-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { NamedSnapshots } from '../storage/named-snapshots.ts';
import type { BankEvent, TransactionSimulation } from '../../records/records.ts';
import { simulateOutcome, simulateTransaction } from '../runtime/simulation.ts';
import { SlotPipeline } from '../slots/slot-pipeline.ts';
import { computeUnixSeconds } from '../ledger/ledger.ts';
import { type LiveState, getViewSlot } from '../slots/live-state.ts';
import type { Storage } from '../storage/storage.ts';
import { SubmissionQueue } from '../slots/submission.ts';
import { epochOf } from '../blocks/sysvars.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

export interface OpenedLedger {
  /** The ledger, with an open slot. */
  readonly ledger: Ledger;
  readonly storage: Storage | null;
  readonly genesisHash: string;
  readonly identity: Address;
  readonly snapshotFolder: string | null;
}

/** The bank. Reads are inherited, and everything else is delegated to its parts. */
export class EmbeddedBank extends BankReads implements Bank {
  readonly genesisHash: string;
  readonly identity: Address;
  readonly admin: BankAdmin;
  readonly #options: BankOptions;
  readonly #live: LiveState;
  readonly #storage: Storage | null;
  readonly #pipeline: SlotPipeline;
  readonly #submission: SubmissionQueue;
  readonly #faucet: Faucet;
  readonly #epochs: EpochKeeper;
  readonly #prices: PriceProcess;
  readonly #listeners = new Set<(event: BankEvent) => void>();
  #closed = false;

  constructor(options: BankOptions, opened: OpenedLedger) {
    const live: LiveState = {
      ledger: opened.ledger,
      faults: new FaultPlan(NO_FAULTS),
      nextFaults: new NextFaults(),
      open: [],
    };
    super(live);
    this.genesisHash = opened.genesisHash;
    this.identity = opened.identity;
    this.#options = options;
    this.#live = live;
    this.#storage = opened.storage;
    this.#faucet = new Faucet(options.faucet, options.mintAuthorities);
    const epoch = epochOf(opened.ledger.blocks.open.slot);
    this.#epochs = new EpochKeeper(options.faucet, options.epochInstructions ?? [], epoch);
    this.#prices = new PriceProcess(options.faucet, options.priceFeeds ?? []);
    const emit = (event: BankEvent) => this.#emit(event);
    const unixSeconds = (clockOffset: bigint) => computeUnixSeconds(options.now, clockOffset);
    this.#pipeline = new SlotPipeline({
      live,
      storage: opened.storage,
      emit,
      unixSeconds,
      onDefect: options.onDefect ?? (() => {}),
    });
    this.#submission = new SubmissionQueue(live, (landing) => this.#include(landing));
    this.admin = new BankAdmin({
      live,
      advance: (skipped, opened) => this.#advance(skipped, opened),
      restored: () => this.#epochs.forget(),
      emit,
      unixSeconds,
      production: options.production,
      slotMs: options.slotMs,
      now: options.now,
      snapshots: new NamedSnapshots(opened.snapshotFolder),
      overlay: options.overlay,
      prices: this.#prices,
      include: (landings) => this.#includeAll(landings),
    });
    // The first slot is the finalized one until 32 others have passed, and preflight takes prices from it.
    this.#includeAll(this.#prices.serve(live.ledger, live.open.length));
  }

  submit(wire: Uint8Array, { preflight, maxRetries }: SubmitOptions): SubmitOutcome {
    const incoming = parsedOrReason(wire);
    if (typeof incoming === 'string') return { kind: 'malformed', reason: incoming };
    const reason =
      this.unhealthy() ?? (this.#submission.isFull ? 'too many transactions wait to land' : null);
    if (reason !== null) return { kind: 'unavailable', reason };
    if (preflight !== null) {
      const slot = getViewSlot(this.#live, preflight);
      const simulation = this.#simulate(incoming, { slot, verifySignatures: true, replaceBlockhash: false });
      if (simulation.error === 'SignatureFailure') return { kind: 'bad-signature' };
      if (simulation.error !== null) return { kind: 'preflight-failed', simulation };
    }
    const { signature } = incoming;
    this.#emit({ kind: 'received', signature, slot: this.slot('processed') });
    this.#submission.submit(incoming, maxRetries ?? Number.MAX_SAFE_INTEGER);
    return { kind: 'accepted', signature };
  }

  simulate(wire: Uint8Array, options: SimulateOptions): SimulateOutcome {
    const incoming = parsedOrReason(wire);
    if (typeof incoming === 'string') return { kind: 'malformed', reason: incoming };
    const slot = getViewSlot(this.#live, options.commitment);
    return { kind: 'simulated', slot, simulation: this.#simulate(incoming, { ...options, slot }) };
  }

  simulateOutcome(wire: Uint8Array, options: SimulateOptions): SimulationOutcomeOrMalformed {
    const incoming = parsedOrReason(wire);
    if (typeof incoming === 'string') return { kind: 'malformed', reason: incoming };
    const slot = getViewSlot(this.#live, options.commitment);
    const simulation = simulateOutcome(this.#live.ledger, incoming, { ...options, slot });
    return { kind: 'simulated', slot, simulation };
  }

  subscribe(listener: (event: BankEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  requestAirdrop(wallet: Address, lamports: bigint): string {
    this.#checkFaucet();
    const { ledger, open } = this.#live;
    return this.#give(this.#faucet.airdrop(ledger, open.length, wallet, lamports));
  }

  faucet(wallet: Address, mint: Address, amount: bigint) {
    this.#checkFaucet();
    const { ledger, open } = this.#live;
    const { landing, account } = this.#faucet.mint(ledger, open.length, { wallet, mint, amount });
    return { signature: this.#give(landing), account };
  }

  snapshotSlot(): bigint | null {
    return this.#storage?.snapshotSlot ?? null;
  }

  unhealthy(): string | null {
    return this.#closed ? 'the network is shut down' : this.#pipeline.unhealthy;
  }

  advanceSlot(): Promise<void> {
    return this.#advance(0n, () => {});
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    const isWell = this.#pipeline.unhealthy === null;
    const ended = isWell ? this.#pipeline.advance(0n, () => {}) : Promise.resolve();
    // A disk that refuses the last slot would block here. Closing the storage gives that slot up.
    const stored = this.#storage?.close();
    try {
      await Promise.all([ended, stored]);
    } finally {
      this.#closed = true;
      this.#listeners.clear();
    }
  }

  async #advance(skipped: bigint, opened: () => void): Promise<void> {
    if (this.#closed) throw new Error('the network is shut down');
    const confirmed = this.#pipeline.advance(skipped, opened);
    const { ledger, open } = this.#live;
    this.#includeAll(this.#epochs.serve(ledger, open.length));
    this.#includeAll(this.#prices.serve(ledger, open.length));
    this.#submission.runDue();
    await confirmed;
  }

  #simulate(
    incoming: IncomingTransaction,
    request: {
      slot: bigint;
      verifySignatures: boolean;
      replaceBlockhash: boolean;
      accounts?: readonly Address[];
    },
  ): TransactionSimulation {
    return simulateTransaction(this.#live.ledger, incoming, { accounts: [], ...request });
  }

  #includeAll(landings: readonly ProcessedTransaction[]): void {
    for (const landing of landings) {
      if (landing.kind === 'included') this.#include(landing);
    }
  }

  #include({ record, entry, changes }: Extract<ProcessedTransaction, { kind: 'included' }>): void {
    this.#live.open.push(entry);
    this.#emit({ kind: 'transaction', record, encoded: entry.encoded, changes });
  }

  /** Publishes a faucet transaction. Changes are read now, because the faucet may have restored an authority since. */
  #give(landing: ProcessedTransaction): string {
    if (landing.kind === 'refused') throw faucetFailed(landing.error);
    const { accounts } = this.#live.ledger;
    const changes = landing.changes.map((change) => ({ ...change, account: accounts.get(change.address) }));
    this.#include({ ...landing, changes });
    if (landing.record.error !== null) throw faucetFailed(landing.record.error);
    return landing.record.signature;
  }

  #checkFaucet(): void {
    if (this.#options.production)
      throw new NetworkRefused('request', 'this network runs with production: it has no faucet');
    const reason = this.unhealthy();
    if (reason !== null) throw new NetworkRefused('request', reason);
  }

  #emit(event: BankEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function parsedOrReason(wire: Uint8Array): IncomingTransaction | string {
  try {
    return parseIncoming(wire);
  } catch (error) {
    if (error instanceof TransactionInvalid) return error.message;
    throw error;
  }
}

function faucetFailed(error: TransactionError): NetworkRefused {
  return new NetworkRefused('request', `the faucet's transaction failed: ${JSON.stringify(error)}`);
}
