import type { Chain } from '../../../chain/chain.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { encodeUnsigned } from '../../../solana/messages/transaction.ts';
import { MAX_COMPUTE_UNITS } from '../../../solana/programs/compute-budget.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../../solana/programs/message-fee.ts';
import {
  compileContents,
  computeBudgetInstructions,
  signersOf,
} from '../../../transactions/build/transaction-message.ts';
import type { DescribeFailure, TransactionFailure } from '../../../transactions/transaction-failure.ts';
import type { GasBudget } from '../../../waiting-orders/fills/gas-budget.ts';
import type { GasWallet } from '../../../waiting-orders/fills/gas-wallet.ts';
import { createOrderGas, type OrderGas } from '../../../waiting-orders/fills/order-gas.ts';
import { submitCharged } from '../../../waiting-orders/keeper/submit-charged.ts';

/** How often a transaction that failed on the chain after a simulation that succeeded is simulated again, to learn why. */
const MAX_ATTEMPTS = 2;

/** Instructions that land together or not at all. */
export interface KeeperWork {
  readonly instructions: readonly Instruction[];
  /** The wallet whose budget of gas pays. */
  readonly wallet: Address;
  /** Lamports that the keeper lends or gives besides the fee, such as the rent of an account that it creates. */
  readonly rent: bigint;
  /** Whether the wallet keeps the rent. It is counted in a budget of its own then, so that no fill lacks what wallets were given. */
  readonly isGift: boolean;
}

/** How work of the keeper ended. */
export type WorkOutcome =
  | { readonly kind: 'done' }
  /** A program refuses it, by a simulation or on the chain, so that nothing of it has happened. */
  | {
      readonly kind: 'refused';
      /** Which of the instructions was refused; null if the runtime refused the transaction. */
      readonly at: number | null;
      readonly failure: TransactionFailure;
    }
  /** Nobody pays for it now. Nothing was sent. */
  | {
      readonly kind: 'gas';
      /** Whether the limit of the wallet is reached. Otherwise the keeper has nothing left, or all budgets together are spent. */
      readonly isWallet: boolean;
    }
  /** It is not known whether it has landed or will. */
  | { readonly kind: 'unknown' }
  /** It has not landed, and cannot land any more. */
  | { readonly kind: 'not-landed' };

export interface KeeperSenderOptions {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  /** Signs as the keeper, and pays. */
  readonly wallet: Pick<GasWallet, 'keypair' | 'budget' | 'isEmpty'>;
  /** Limits what wallets are given. */
  readonly giftBudget: GasBudget;
  /** Signs fills besides the keeper. Null where nothing needs a second signature. */
  readonly cosigner: Keypair | null;
  readonly timers: Timers;
  /** Called with the lamports that a transaction has cost. */
  readonly onCost: (lamports: bigint) => void;
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Simulates, pays for, signs and sends what the keeper does on the chain. */
export class KeeperSender {
  readonly #options: KeeperSenderOptions;
  readonly #gas: OrderGas;
  readonly #giftGas: OrderGas;

  constructor(options: KeeperSenderOptions) {
    this.#options = options;
    this.#gas = createOrderGas(options.wallet, options.onDefect);
    this.#giftGas = createOrderGas({ budget: options.giftBudget }, options.onDefect);
  }

  /**
   * Sends work until the chain has decided how it ends.
   *
   * @param mayGoOn - Asked right before it is sent, because simulating and paying take time.
   * @throws Unavailable when the store or the chain does not answer; then nothing was sent
   */
  async run(work: KeeperWork, mayGoOn: () => boolean = () => true): Promise<WorkOutcome> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#try(work, mayGoOn);
      const isUnexplained = outcome.kind === 'refused' && outcome.at === null;
      if (!isUnexplained || attempt === MAX_ATTEMPTS) return outcome;
    }
  }

  async #try(
    { instructions, wallet, rent, isGift }: KeeperWork,
    mayGoOn: () => boolean,
  ): Promise<WorkOutcome> {
    const { chain, describeFailure, timers, giftBudget } = this.#options;
    const { keypair } = this.#options.wallet;
    const budget = isGift ? giftBudget : this.#options.wallet.budget;
    const gas = isGift ? this.#giftGas : this.#gas;
    if (this.#options.wallet.isEmpty()) return { kind: 'gas', isWallet: false };
    const contents = { feePayer: keypair.address, instructions, lookupTables: null };
    const recent = chain.recentBlockhash();
    const messageBytes = compileContents(contents, KEEPER_BUDGET, recent);
    const simulated = await chain.simulate(encodeUnsigned(messageBytes), { verifySignatures: false });
    if (simulated.error !== null) {
      const failure = describeFailure(simulated.error, simulated.logs);
      return { kind: 'refused', at: findRefused(simulated.error), failure };
    }
    const signers = this.#listSigners(signersOf(contents));
    const spending = await budget.spend(wallet, LAMPORTS_PER_SIGNATURE * BigInt(signers.length) + rent);
    if (!spending.ok) return { kind: 'gas', isWallet: spending.refusal.kind === 'wallet-limit' };
    const { charge } = spending;
    if (!mayGoOn()) {
      gas.giveBack(charge, charge.lamports);
      return { kind: 'not-landed' };
    }
    const { lastValidBlockHeight } = recent;
    const { outcome, failure, cost } = await submitCharged(
      { chain, timers, describeFailure, gas },
      { messageBytes, signers, lastValidBlockHeight },
      charge,
    );
    if (cost !== null) this.#options.onCost(cost);
    if (outcome === 'success') return { kind: 'done' };
    if (outcome === 'expired') return { kind: 'not-landed' };
    return outcome === 'failed' && failure !== null
      ? { kind: 'refused', at: null, failure }
      : { kind: 'unknown' };
  }

  #listSigners(addresses: ReadonlySet<Address>): readonly Keypair[] {
    const { wallet, cosigner } = this.#options;
    const keys = cosigner === null ? [wallet.keypair] : [wallet.keypair, cosigner];
    return keys.filter(({ address }) => addresses.has(address));
  }
}

/** The network charges for signatures alone where no price is set, so what a transaction may use costs nothing. */
export const KEEPER_BUDGET = { limit: MAX_COMPUTE_UNITS, price: null };
/** How many instructions of the compute budget stand before those of the work. */
const BEFORE_WORK = computeBudgetInstructions(KEEPER_BUDGET).length;

/** Returns which instruction of the work an RPC's `TransactionError` names; null if none. */
function findRefused(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('InstructionError' in error)) return null;
  const at: unknown = Array.isArray(error.InstructionError) ? error.InstructionError[0] : null;
  return typeof at === 'number' && at >= BEFORE_WORK ? at - BEFORE_WORK : null;
}
