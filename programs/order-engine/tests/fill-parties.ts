import {
  type FillAccounts,
  type FillFee,
  type FillSide,
  type FillTrade,
  createFillInstruction,
} from '../../../src/protocols/order-engine/fill-instruction.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { AccountMeta, Instruction } from '../../../src/solana/messages/instruction.ts';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../src/solana/program-addresses.ts';
import { encodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import type { Extension } from '../../../src/solana/programs/token/extensions.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';

/** Unix seconds that the clock of every test shows. */
export const NOW = 1_771_335_000n;
/** The initial atoms of every token account, and the initial lamports of every wallet. */
export const HOLDING = 1_000_000_000_000n;
export const RENT = 2_039_280n;

export type Kind = 'token' | 'token-2022' | 'wrapped' | 'native';

/** A taker and a maker, with an account of each kind. */
export class Parties {
  readonly network: TestNetwork;
  readonly taker: Address;
  readonly maker: Address;
  readonly #mints: Readonly<Record<'token' | 'token-2022', Address>>;

  constructor(seed = 'order-engine', extensions: readonly Extension[] = []) {
    this.network = new TestNetwork(['order-engine'], seed);
    const { network } = this;
    network.setUnixTime(NOW);
    this.taker = network.newWallet(HOLDING);
    this.maker = network.newWallet(HOLDING);
    this.#mints = { token: network.newAddress(), 'token-2022': network.newAddress() };
    this.setMint(this.#mints.token, TOKEN_PROGRAM, []);
    this.setMint(this.#mints['token-2022'], TOKEN_2022_PROGRAM, extensions);
    this.setMint(WRAPPED_SOL_MINT, TOKEN_PROGRAM, []);
  }

  setMint(address: Address, program: Address, extensions: readonly Extension[]): void {
    const mint = { mintAuthority: null, supply: 1n << 62n, decimals: 6, freezeAuthority: null, extensions };
    this.network.setData(address, program, encodeMint(mint));
  }

  mint(kind: Kind): Address {
    return kind === 'token' || kind === 'token-2022' ? this.#mints[kind] : WRAPPED_SOL_MINT;
  }

  newTokenAccount(owner: Address, kind: Exclude<Kind, 'native'>, amount = HOLDING): Address {
    const address = this.network.newAddress();
    const data = encodeTokenAccount({
      mint: this.mint(kind),
      owner,
      amount,
      delegate: null,
      state: 'initialized',
      nativeReserve: kind === 'wrapped' ? RENT : null,
      delegatedAmount: 0n,
      closeAuthority: null,
      extensions: [],
    });
    const program = kind === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
    const lamports = RENT + (kind === 'wrapped' ? amount : 0n);
    this.network.setAccount(address, { lamports, owner: program, data, executable: false, rentEpoch: 0n });
    return address;
  }

  /** Returns one mint, which each party holds in an account of its kind. Both kinds have the same mint. */
  side(taker: Kind, maker: Kind = taker): FillSide {
    return {
      mint: this.mint(taker),
      tokenProgram: taker === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
      taker: taker === 'native' ? null : this.newTokenAccount(this.taker, taker),
      maker: maker === 'native' ? null : this.newTokenAccount(this.maker, maker),
    };
  }

  fill(
    input: FillSide,
    output: FillSide,
    trade: Partial<FillTrade> = {},
    fee: FillFee | null = null,
  ): Instruction {
    const accounts: FillAccounts = { taker: this.taker, maker: this.maker, input, output };
    const terms = { inputAmount: 5_000n, outputAmount: 7_000n, expireAt: NOW + 55n, ...trade };
    return createFillInstruction(terms, accounts, fee);
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions);
  }

  /** Returns the lamports of a wallet, or the atoms of its token account. */
  balance(wallet: Address, account: Address | null): bigint {
    if (account !== null) return this.network.tokenBalance(account);
    return this.network.account(wallet)?.lamports ?? 0n;
  }

  /** Turns a wallet into an account that does not exist. */
  empty(address: Address): void {
    this.network.setAccount(address, {
      lamports: 0n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
  }
}

/** Returns the instruction with some of its accounts replaced. */
export function withAccounts(
  instruction: Instruction,
  replace: Readonly<Record<number, AccountMeta>>,
): Instruction {
  return {
    ...instruction,
    accounts: instruction.accounts.map((account, index) => replace[index] ?? account),
  };
}
