import { expect } from 'vitest';
import {
  createCancelOrder,
  createFlashFill,
  createInitializeOrder,
  createPreFlashFill,
  type NewLimitOrder,
  type OrderToken,
  type PlacedLimitOrder,
} from '../../../src/protocols/jupiter-limit-order/instructions.ts';
import {
  decodeLimitOrderEvent,
  type LimitOrderEvent,
} from '../../../src/protocols/jupiter-limit-order/events.ts';
import {
  decodeLimitOrder,
  encodeLimitOrderFee,
  type LimitOrder,
} from '../../../src/protocols/jupiter-limit-order/layout.ts';
import {
  deriveLimitOrder,
  deriveProgramFeeAccount,
  LIMIT_ORDER_FEE,
  LIMIT_ORDER_PROGRAM,
} from '../../../src/protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../../src/solana/program-addresses.ts';
import { decodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import type { Extension } from '../../../src/solana/programs/token/extensions.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { TestNetwork, type TestOutcome } from '../../../src/testing/svm/network.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';

/** The second in which every world begins. */
export const START = 1_800_000_000n;
/** The rents of a token account, and of an order with its reserve. */
export const TOKEN_RENT = 2_039_280n;
export const ORDER_RENT = 3_480_000n;

export type PlacedOrder = PlacedLimitOrder & Pick<NewLimitOrder, 'uniqueId' | 'making' | 'taking'>;

/** A fill as a keeper sends it. What is not given is the keeper's and the maker's associated account. */
export interface FillOptions {
  readonly maximum?: bigint;
  readonly source?: Address | null;
  readonly destination?: Address | null;
}

/** A network with the program and its rates, two tokens, a maker who holds the first and a keeper who holds the second. */
export class LimitWorld {
  readonly network: TestNetwork;
  readonly admin: Address;
  readonly maker: Address;
  readonly keeper: Address;
  readonly input: OrderToken;
  readonly output: OrderToken;
  #nextId = 0n;

  constructor(
    options: {
      readonly tokenProgram?: Address;
      readonly normalFeeBps?: number;
      readonly stableFeeBps?: number;
      readonly input?: 'SOL';
      readonly output?: 'SOL';
    } = {},
  ) {
    this.network = new TestNetwork(['limit-order'], 'limit-order');
    this.network.setUnixTime(START);
    this.admin = this.network.newWallet();
    this.maker = this.network.newWallet();
    this.keeper = this.network.newWallet();
    const { normalFeeBps = 10, stableFeeBps = 3, tokenProgram = TOKEN_PROGRAM } = options;
    const data = encodeLimitOrderFee({ normalFeeBps, stableFeeBps, admin: this.admin });
    this.network.setData(LIMIT_ORDER_FEE, LIMIT_ORDER_PROGRAM, data);
    this.input = options.input === 'SOL' ? this.wrappedSol() : this.newToken(tokenProgram);
    this.output = options.output === 'SOL' ? this.wrappedSol() : this.newToken(tokenProgram);
    this.hold(this.maker, this.input, 1_000_000_000n);
    this.hold(this.keeper, this.output, 1_000_000_000n);
    this.hold(this.keeper, this.input, 0n);
    this.hold(this.maker, this.output, 0n);
    this.hold(LIMIT_ORDER_FEE, this.output, 0n);
  }

  /** Makes a mint, whose freeze authority is the payer. */
  newToken(tokenProgram: Address = TOKEN_PROGRAM, extensions: readonly Extension[] = []): OrderToken {
    const mint = this.network.newAddress();
    const freezeAuthority = this.network.payer;
    const state = { mintAuthority: null, supply: 1n << 63n, decimals: 6, freezeAuthority, extensions };
    this.network.setData(mint, tokenProgram, encodeMint(state));
    return { mint, tokenProgram };
  }

  wrappedSol(): OrderToken {
    const state = { mintAuthority: null, supply: 0n, decimals: 9, freezeAuthority: null, extensions: [] };
    this.network.setData(WRAPPED_SOL_MINT, TOKEN_PROGRAM, encodeMint(state));
    return { mint: WRAPPED_SOL_MINT, tokenProgram: TOKEN_PROGRAM };
  }

  tokens(owner: Address, { mint, tokenProgram }: OrderToken): Address {
    return deriveAssociatedTokenAddress(owner, mint, tokenProgram);
  }

  /** Writes a token account with that amount: the associated one unless an address is given. */
  hold(owner: Address, token: OrderToken, amount: bigint, at = this.tokens(owner, token)): Address {
    const { mint, tokenProgram } = token;
    const isNative = mint === WRAPPED_SOL_MINT;
    const data = ordinaryTokenAccount({
      mint,
      owner,
      amount,
      ...(isNative ? { nativeReserve: TOKEN_RENT } : {}),
    });
    const lamports = isNative ? TOKEN_RENT + amount : TOKEN_RENT;
    this.network.setAccount(at, { lamports, owner: tokenProgram, data, executable: false, rentEpoch: 0n });
    return at;
  }

  balance(owner: Address, token: OrderToken): bigint {
    return this.balanceAt(this.tokens(owner, token));
  }

  balanceAt(account: Address): bigint {
    const found = this.network.account(account);
    return found === null ? 0n : decodeTokenAccount(found.data).amount;
  }

  lamports(address: Address): bigint {
    return this.network.account(address)?.lamports ?? 0n;
  }

  /** Returns the terms of the maker's next order. */
  terms(changes: Partial<NewLimitOrder> = {}): NewLimitOrder {
    return {
      payer: this.maker,
      maker: this.maker,
      input: this.input,
      output: this.output,
      referral: null,
      uniqueId: this.#nextId++,
      making: 1_000_000n,
      taking: 500_000n,
      expiredAt: null,
      feeBps: null,
      slippageBps: null,
      ...changes,
    };
  }

  /** Returns the order that the terms make. */
  placed(terms: NewLimitOrder): PlacedOrder {
    const { address } = deriveLimitOrder(terms.maker, terms.uniqueId);
    return {
      address,
      maker: terms.maker,
      inputMint: terms.input.mint,
      outputMint: terms.output.mint,
      inputTokenProgram: terms.input.tokenProgram,
      outputTokenProgram: terms.output.tokenProgram,
      inputReserve: this.tokens(address, terms.input),
      feeAccount: terms.referral ?? deriveProgramFeeAccount(terms.output.mint, terms.output.tokenProgram),
      uniqueId: terms.uniqueId,
      making: terms.making,
      taking: terms.taking,
    };
  }

  place(changes: Partial<NewLimitOrder> = {}): PlacedOrder {
    const terms = this.terms(changes);
    this.must(createInitializeOrder(terms));
    return this.placed(terms);
  }

  read({ address }: { readonly address: Address }): LimitOrder | null {
    const account = this.network.account(address);
    return account === null ? null : decodeLimitOrder(account.data);
  }

  pre(order: PlacedOrder, making: bigint, taker = this.keeper): Instruction {
    const { inputMint: mint, inputTokenProgram: tokenProgram } = order;
    return createPreFlashFill(order, taker, this.tokens(taker, { mint, tokenProgram }), making);
  }

  flash(order: PlacedOrder, options: FillOptions = {}, taker = this.keeper): Instruction {
    const output = { mint: order.outputMint, tokenProgram: order.outputTokenProgram };
    return createFlashFill(order, {
      taker,
      source: options.source === undefined ? this.tokens(taker, output) : options.source,
      destination: options.destination === undefined ? this.tokens(order.maker, output) : options.destination,
      maximum: options.maximum ?? (1n << 64n) - 1n,
    });
  }

  /** Returns the pair of instructions by which a keeper takes that much. */
  fill(order: PlacedOrder, making: bigint, options: FillOptions = {}, taker = this.keeper): Instruction[] {
    return [this.pre(order, making, taker), this.flash(order, options, taker)];
  }

  cancel(order: PlacedOrder, signer = order.maker): Instruction {
    const input = { mint: order.inputMint, tokenProgram: order.inputTokenProgram };
    return createCancelOrder(order, signer, this.tokens(order.maker, input));
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions);
  }

  /** Sends instructions that have to succeed, and returns the events of the program. */
  must(...instructions: readonly Instruction[]): LimitOrderEvent[] {
    const { error, logs, inner } = this.send(...instructions);
    expect(error, logs.join('\n')).toBeNull();
    return inner
      .flat()
      .filter(({ program }) => program === LIMIT_ORDER_PROGRAM)
      .map(({ data }) => decodeLimitOrderEvent(data))
      .filter((event) => event !== null);
  }

  /** Sends instructions that have to fail, and returns the code, or the runtime's word. */
  refusal(...instructions: readonly Instruction[]): number | string | undefined {
    const { error } = this.send(...instructions);
    return error?.custom ?? error?.kind;
  }
}

/** Both token programs, for tests that hold in either. */
export const TOKEN_PROGRAMS = [
  ['the token program', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
] as const;

/** The program's error numbers that tests expect, and those of Anchor and the token program. */
export const CODE = {
  InvalidMakingAmount: 6000,
  InvalidTakingAmount: 6001,
  InvalidMaxTakingAmount: 6002,
  InvalidInputAccount: 6003,
  InvalidMakerOutputAccount: 6004,
  InvalidTakerOutputAccount: 6005,
  InvalidPair: 6006,
  OrderExpired: 6007,
  OrderNotExpired: 6008,
  InvalidAdmin: 6009,
  InvalidKeeper: 6010,
  ProgramMismatch: 6012,
  UnknownInstruction: 6013,
  MissingRepayInstructions: 6014,
  InstructionNotAllowed: 6015,
  InvalidOrder: 6016,
  InvalidBorrowMakingAmount: 6017,
  InvalidExpiredDate: 6018,
  FeeBpsTooLow: 6019,
  FeeBpsTooHigh: 6020,
  TransferTaxMint: 6021,
  InvalidOutputMint: 6022,
  HasOne: 2001,
  Seeds: 2006,
  TokenOwner: 2015,
  MintTokenProgram: 2022,
  WrongOwner: 3007,
  InvalidProgram: 3008,
  NotEnoughAccounts: 3005,
  NotSigner: 3010,
  Frozen: 17,
} as const;
