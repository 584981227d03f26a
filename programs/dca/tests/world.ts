import { expect } from 'vitest';
import { type DcaEvent, decodeDcaEvent } from '../../../src/protocols/jupiter-dca/dca-events.ts';
import { encodeDcaFeeAuthority } from '../../../src/protocols/jupiter-dca/dca-fee-authority.ts';
import {
  createFulfillFlashFill,
  createInitiateFlashFill,
} from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import { createOpenDca, type DcaOpening } from '../../../src/protocols/jupiter-dca/dca-instructions.ts';
import { type DcaOrder, decodeDcaOrder } from '../../../src/protocols/jupiter-dca/dca-order.ts';
import {
  DCA_FEE_AUTHORITY,
  DCA_PROGRAM,
  deriveDcaOrderAddress,
} from '../../../src/protocols/jupiter-dca/dca-program.ts';
import { computeDcaCycle } from '../../../src/protocols/jupiter-dca/dca-schedule.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type AccountRole, type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { transfer } from '../../../src/solana/programs/token/instructions.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../../src/solana/rent.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';

/** Unix seconds at which every test begins. */
export const NOW = 1_771_335_000n;
/** The initial atoms of every token account of the user and of the market. */
export const HOLDING = 1_000_000_000_000n;
export const TOKEN_RENT = computeRentExemptMinimum(165);
export const ORDER_RENT = computeRentExemptMinimum(289);

/** An order on the network, with its state. */
export type OpenOrder = DcaOrder & { readonly address: Address };

/** What a test asks of an order. Default: 600 atoms in six cycles of a minute, between the two tokens of the world. */
export type OrderTerms = Partial<DcaOpening>;

/** A network with the program, its keeper and admin, a user with two tokens, and a market that swaps at any price. */
export class DcaWorld {
  readonly network: TestNetwork;
  readonly keeper: Address;
  readonly admin: Address;
  readonly user: Address;
  readonly market: Address;
  readonly input: Address;
  readonly output: Address;
  #time = NOW;
  #nextIdx = 1n;

  constructor(
    options: { readonly input?: Address; readonly output?: Address; readonly user?: Address } = {},
  ) {
    this.network = new TestNetwork(['dca'], 'dca');
    this.network.setUnixTime(NOW);
    [this.keeper, this.admin, this.user, this.market] = [
      this.network.newWallet(),
      this.network.newWallet(),
      options.user ?? this.network.newAddress(),
      this.network.newWallet(),
    ];
    this.setWallet(this.user, 10_000_000_000n);
    this.setMint(WRAPPED_SOL_MINT);
    this.input = options.input ?? this.newMint();
    this.output = options.output ?? this.newMint();
    const authority = encodeDcaFeeAuthority({ admin: this.admin, keepers: [this.keeper] });
    this.network.setData(DCA_FEE_AUTHORITY.address, DCA_PROGRAM, authority);
    for (const mint of [this.input, this.output]) {
      this.hold(this.user, mint, HOLDING);
      this.hold(this.market, mint, HOLDING);
    }
  }

  get now(): bigint {
    return this.#time;
  }

  set now(seconds: bigint) {
    this.#time = seconds;
    this.network.setUnixTime(seconds);
  }

  newMint(freezeAuthority: Address | null = null): Address {
    const mint = this.network.newAddress();
    this.setMint(mint, freezeAuthority);
    return mint;
  }

  setMint(mint: Address, freezeAuthority: Address | null = null): void {
    const state = { mintAuthority: null, supply: 1n << 62n, decimals: 6, freezeAuthority, extensions: [] };
    this.network.setData(mint, TOKEN_PROGRAM, encodeMint(state));
  }

  setWallet(address: Address, lamports: bigint): void {
    const wallet = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
    this.network.setAccount(address, { ...wallet, lamports });
  }

  tokens(owner: Address, mint: Address): Address {
    return deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
  }

  /** Writes an ordinary token account. Default: the associated one. */
  hold(owner: Address, mint: Address, amount: bigint, account = this.tokens(owner, mint)): Address {
    const isSol = mint === WRAPPED_SOL_MINT;
    const data = ordinaryTokenAccount({ mint, owner, amount, nativeReserve: isSol ? TOKEN_RENT : null });
    const lamports = TOKEN_RENT + (isSol ? amount : 0n);
    this.network.setAccount(account, {
      lamports,
      owner: TOKEN_PROGRAM,
      data,
      executable: false,
      rentEpoch: 0n,
    });
    return account;
  }

  /** Changes fields of a token account that no instruction of the token program changes that easily. */
  changeTokens(account: Address, change: Partial<Parameters<typeof ordinaryTokenAccount>[0]>): void {
    const found = this.network.account(account);
    if (found === null) throw new Error(`no account ${account}`);
    const data = encodeTokenAccount({ ...decodeTokenAccount(found.data), ...change });
    this.network.setAccount(account, { ...found, data });
  }

  /** Returns the balance of a token account, 0 if there is none. */
  balance(account: Address): bigint {
    const found = this.network.account(account);
    return found === null || found.owner !== TOKEN_PROGRAM ? 0n : decodeTokenAccount(found.data).amount;
  }

  lamports(address: Address): bigint {
    return this.network.account(address)?.lamports ?? 0n;
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions);
  }

  /** Sends instructions that have to succeed, and returns their events. */
  must(...instructions: readonly Instruction[]): readonly DcaEvent[] {
    const { error, logs, inner } = this.send(...instructions);
    expect(error, logs.join('\n')).toBeNull();
    return inner.flat().flatMap(({ program, data }) => {
      const event = program === DCA_PROGRAM ? decodeDcaEvent(data) : null;
      return event === null ? [] : [event];
    });
  }

  /** Sends instructions that have to fail, and returns the code, or the runtime's word. */
  refusal(...instructions: readonly Instruction[]): number | string | undefined {
    const { error } = this.send(...instructions);
    return error?.custom ?? error?.kind;
  }

  opening(terms: OrderTerms = {}): DcaOpening {
    return {
      user: this.user,
      inputMint: this.input,
      outputMint: this.output,
      idx: this.#nextIdx++,
      inAmount: 600n,
      inAmountPerCycle: 100n,
      cycleFrequency: 60n,
      ...terms,
    };
  }

  open(terms: OrderTerms = {}): OpenOrder {
    const opening = this.opening(terms);
    this.must(createOpenDca(opening));
    return this.order(deriveDcaOrderAddress(opening).address);
  }

  order(address: Address): OpenOrder {
    const found = this.network.account(address);
    if (found === null) throw new Error(`no order ${address}`);
    expect(found.owner).toBe(DCA_PROGRAM);
    return { address, ...decodeDcaOrder(found.data) };
  }

  /** Returns the order as it is now. */
  again({ address }: OpenOrder): OpenOrder {
    return this.order(address);
  }

  /** The keeper's swap of a borrowed amount: the market pays `paid` into the order's account. */
  swap(order: OpenOrder, amount: bigint, paid: bigint, keeper = this.keeper): readonly Instruction[] {
    const { inputMint, outputMint, outAccount: destination } = order;
    return [
      transfer(TOKEN_PROGRAM, {
        source: this.tokens(keeper, inputMint),
        destination: this.tokens(this.market, inputMint),
        authority: keeper,
        amount,
      }),
      transfer(TOKEN_PROGRAM, {
        source: this.tokens(this.market, outputMint),
        destination,
        authority: this.market,
        amount: paid,
      }),
    ];
  }

  /** The instructions of a whole fill. */
  fill(order: OpenOrder, paid: bigint, keeper = this.keeper): readonly Instruction[] {
    return [
      createInitiateFlashFill(keeper, order),
      ...this.swap(order, computeDcaCycle(order), paid, keeper),
      createFulfillFlashFill(keeper, order, paid),
    ];
  }
}

/** Returns the instruction with another account in that place. The program's own address stands for none. */
export function replaceAccount(instruction: Instruction, at: number, address: Address): Instruction {
  const replaced = (role: AccountRole) => (address === DCA_PROGRAM ? readonly(address) : { address, role });
  const accounts = instruction.accounts.map((meta, index) => (index === at ? replaced(meta.role) : meta));
  return { ...instruction, accounts };
}
