import type { AccountFilter, AccountUpdate, AccountView } from '../../chain/accounts.ts';
import type { AddressSignature, Chain, ChainClock, Commitment, SignatureRange } from '../../chain/chain.ts';
import type { LandedTransaction } from '../../chain/landed-transactions.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { SvmChain } from './chain.ts';
import type { TestNetwork, TestOutcome } from './network.ts';

/** What a record of a program takes of a chain. */
type RecordedChain = Pick<
  Chain,
  | 'genesisHash'
  | 'signaturesOf'
  | 'transaction'
  | 'slot'
  | 'clock'
  | 'unhealthy'
  | 'getAccounts'
  | 'getProgramAccounts'
  | 'openView'
>;

/**
 * The history of a test network: every transaction that a test sends to it, without signatures of wallets, is in it, in a slot
 * of its own unless the test says otherwise.
 */
export class HistoryChain implements RecordedChain {
  readonly genesisHash = 'the genesis of a test';
  readonly #network: TestNetwork;
  readonly #accounts: SvmChain;
  /** Oldest first. */
  readonly landed: LandedTransaction[] = [];
  /** How often transactions were listed and read. */
  readonly asked = { lists: 0, transactions: 0 };
  /** How many slots pass with the next transactions. */
  slotsPerTransaction = 1n;
  #slot = 1_000n;

  constructor(network: TestNetwork) {
    this.#network = network;
    this.#accounts = new SvmChain(network);
    const send = network.send.bind(network);
    network.send = (instructions, options) => {
      const outcome = send(instructions, options);
      this.#record(instructions, outcome);
      return outcome;
    };
  }

  /** Lands transactions that name an address and do nothing. */
  spam(address: Address, count: number): void {
    for (let at = 0; at < count; at++) {
      this.#slot += this.slotsPerTransaction;
      this.landed.push(this.#toLanded([address], { instructions: [], calls: [], error: null, logs: [] }));
    }
  }

  /** The network forgets its oldest transactions. */
  forget(count: number): void {
    this.landed.splice(0, count);
  }

  /** The network begins again at slot 0, with its accounts as they are. */
  beginAgain(): void {
    this.landed.splice(0);
    this.#slot = 0n;
  }

  pass(slots: bigint): void {
    this.#slot += slots;
  }

  slot(_commitment: Commitment): bigint {
    return this.#slot;
  }

  clock(): ChainClock {
    return this.#accounts.clock();
  }

  unhealthy(): string | null {
    return null;
  }

  openView(): AccountView {
    const slot = this.#slot;
    return { ...this.#accounts.openView(), slots: () => ({ oldest: slot, newest: slot }) };
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly AccountUpdate[]> {
    const slot = this.#slot;
    return (await this.#accounts.getAccounts(addresses)).map((update) => ({ ...update, slot }));
  }

  getProgramAccounts(
    program: Address,
    commitment?: Commitment,
    filter?: AccountFilter,
  ): Promise<readonly AccountUpdate[]> {
    return this.#accounts.getProgramAccounts(program, commitment, filter);
  }

  async signaturesOf(
    address: Address,
    { limit, before, until }: SignatureRange,
  ): Promise<readonly AddressSignature[]> {
    this.asked.lists++;
    const named = this.landed.filter(({ accounts }) => accounts.includes(address)).reverse();
    const at = (signature: string | undefined) => named.findIndex((each) => each.signature === signature);
    if (before !== undefined && at(before) < 0) return [];
    const end = at(until);
    return named
      .slice(at(before) + 1, end < 0 ? undefined : end)
      .slice(0, limit)
      .map(({ signature, slot }) => ({ signature, slot }));
  }

  async transaction(signature: string): Promise<LandedTransaction | null> {
    this.asked.transactions++;
    return this.landed.find((each) => each.signature === signature) ?? null;
  }

  #record(instructions: readonly Instruction[], { error, inner, logs }: TestOutcome): void {
    this.#slot += this.slotsPerTransaction;
    const top = instructions.map(({ programAddress, accounts, data }) => ({
      program: programAddress,
      accounts: accounts.map(({ address }) => address),
      data,
    }));
    const calls = inner.flatMap((group, instruction) =>
      group.map(({ stackHeight, ...call }) => ({ instruction, depth: stackHeight, call })),
    );
    const named = top.flatMap(({ program, accounts }) => [program, ...accounts]);
    this.landed.push(this.#toLanded([...new Set(named)], { instructions: top, calls, error, logs }));
  }

  #toLanded(
    accounts: readonly Address[],
    done: Pick<LandedTransaction, 'instructions' | 'calls' | 'error' | 'logs'>,
  ): LandedTransaction {
    return {
      signature: `transaction ${this.#numbered++}`,
      slot: this.#slot,
      wire: new Uint8Array(),
      blockTime: this.#network.svm.getClock().unixTimestamp,
      fee: 5_000n,
      unitsConsumed: 0n,
      accounts,
      preBalances: [],
      postBalances: [],
      preTokenBalances: [],
      postTokenBalances: [],
      ...done,
    };
  }

  #numbered = 1;
}
