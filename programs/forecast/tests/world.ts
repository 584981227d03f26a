import { expect } from 'vitest';
import {
  decodeForecastRound,
  encodeForecastRound,
  type ForecastRoundAccount,
} from '../../../src/protocols/bisonfi-forecast/forecast-accounts.ts';
import {
  encodeForecastConfig,
  type ForecastSchedule,
} from '../../../src/protocols/bisonfi-forecast/forecast-config.ts';
import {
  decodeForecastEvent,
  type ForecastProgramEvent,
} from '../../../src/protocols/bisonfi-forecast/forecast-events.ts';
import {
  deriveForecastRound,
  deriveForecastUsdc,
  deriveForecastVault,
  deriveOutcomeMint,
  deriveOutcomeTokens,
  FORECAST_AUTHORITY,
  FORECAST_CONFIG,
  FORECAST_PROGRAM,
  FORECAST_RESERVE,
  FORECAST_USDC,
  type OutcomeSide,
} from '../../../src/protocols/bisonfi-forecast/forecast-program.ts';
import {
  createCloseForecastRound,
  createOpenForecastRound,
  createSettleForecastRound,
  createVoidForecastRound,
} from '../../../src/protocols/bisonfi-forecast/instructions/forecast-round-instructions.ts';
import {
  createForecastPayout,
  createForecastSwap,
} from '../../../src/protocols/bisonfi-forecast/instructions/forecast-token-instructions.ts';
import { type Address, address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../src/solana/programs/associated-token.ts';
import {
  encodePriceFeed,
  PRICE_FEED_PROGRAM,
  type PriceFeed,
} from '../../../src/solana/programs/price-feed/feed.ts';
import { readTokenAccountAmount } from '../../../src/solana/programs/token/account.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { TestNetwork, type TestOutcome } from '../../../src/testing/svm/network.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';

/** The second in which every world begins, and its first round opens. */
export const START = 1_800_000_000n;
/** A dollar, and a token. */
export const ONE = 1_000_000n;
/** What the reserve holds in the beginning. */
export const RESERVE = 100_000n * ONE;
/** 108,500 dollars. */
export const OPEN_PRICE = 10_850_000_000_000n;
/** What each trader has in the beginning. */
export const PURSE = 10_000n * ONE;

const FEED = address('4cSM2e6rvbGQUFiJbqytoVMi5GgghSMr8LwVrT9VPSPo');

/** The numbers of every round of a world, if it is not given others. */
export const SCHEDULE: ForecastSchedule = {
  feed: FEED,
  asset: 'BTC',
  seconds: 300,
  funding: 5_000n * ONE,
  deviation: 5_000,
  halfSpread: 10_000,
  slope: 10_000,
};

/** A network with the program, its reserve, a feed, two traders and a stranger. Times are seconds from the start. */
export class ForecastWorld {
  readonly network = new TestNetwork(['forecast'], 'forecast');
  readonly feed = FEED;
  readonly operator: Address;
  readonly alice: Address;
  readonly bob: Address;
  readonly stranger: Address;
  /** The round that is traded: in the beginning the one of 5 minutes. */
  round: Address;
  readonly #schedules: readonly ForecastSchedule[];
  #update: PriceFeed;

  /** @param schedule - Numbers of the first schedule that are not the ordinary ones. The second lasts 900 seconds. */
  constructor(schedule: Partial<ForecastSchedule> = {}) {
    const first = { ...SCHEDULE, ...schedule };
    this.#schedules = [first, { ...first, seconds: 900 }];
    this.operator = this.network.newWallet(1_000_000_000_000n);
    this.alice = this.network.newWallet();
    this.bob = this.network.newWallet();
    this.stranger = this.network.newWallet();
    this.round = deriveForecastRound({ ...first, openTime: START }).address;
    const mint = {
      mintAuthority: this.operator,
      supply: 1n << 60n,
      decimals: 6,
      freezeAuthority: this.operator,
    };
    this.network.setData(FORECAST_USDC, TOKEN_PROGRAM, encodeMint({ ...mint, extensions: [] }));
    const config = { operator: this.operator, schedules: this.#schedules };
    this.network.setData(FORECAST_CONFIG, FORECAST_PROGRAM, encodeForecastConfig(config));
    this.give(FORECAST_AUTHORITY.address, RESERVE);
    for (const trader of [this.alice, this.bob]) this.give(trader, PURSE);
    this.#update = {
      writeAuthority: this.operator,
      feedId: new Uint8Array(32).fill(7),
      price: OPEN_PRICE,
      confidence: OPEN_PRICE / 1_000n,
      exponent: -8,
      publishTime: START,
      previousPublishTime: START - 1n,
      averagePrice: OPEN_PRICE,
      averageConfidence: OPEN_PRICE / 1_000n,
      postedSlot: 1n,
    };
    this.clock(0n);
    this.write({});
  }

  /** Sets the clock. */
  clock(second: bigint): void {
    this.network.setUnixTime(START + second);
  }

  /** Writes fields of the feed, and nothing else. */
  write(changes: Partial<PriceFeed>): void {
    this.#update = { ...this.#update, ...changes };
    this.post({}, this.feed);
  }

  /** Writes the feed with other fields into an account. */
  post(changes: Partial<PriceFeed>, account: Address): void {
    this.network.setData(account, PRICE_FEED_PROGRAM, encodePriceFeed({ ...this.#update, ...changes }));
  }

  /** Publishes a price in a second, in which the clock then stands. */
  publish(second: bigint, price = this.#update.price): void {
    this.clock(second);
    const publishTime = START + second;
    this.write({ price, publishTime, previousPublishTime: this.#update.publishTime });
  }

  /** Gives an owner USDC that comes from nowhere, in a new associated account. */
  give(owner: Address, amount: bigint): Address {
    const account = deriveForecastUsdc(owner);
    const data = ordinaryTokenAccount({ mint: FORECAST_USDC, owner, amount });
    this.network.setData(account, TOKEN_PROGRAM, data);
    return account;
  }

  opening({ index = 0, openTime = START, operator = this.operator } = {}): Instruction {
    const schedule = this.#schedules[index] ?? SCHEDULE;
    return createOpenForecastRound({ operator, index, schedule, openTime });
  }

  /** Opens a round, and a token account of both its sides for each trader. From then on it is the one that is traded. */
  open(index = 0): Address {
    this.must(this.opening({ index }));
    this.round = deriveForecastRound({ ...(this.#schedules[index] ?? SCHEDULE), openTime: START }).address;
    for (const trader of [this.alice, this.bob]) {
      this.openTokens(trader, 'up');
      this.openTokens(trader, 'down');
    }
    return this.round;
  }

  openTokens(owner: Address, side: OutcomeSide): Address {
    const mint = this.mint(side);
    const setup = { payer: this.network.payer, owner, mint, tokenProgram: TOKEN_2022_PROGRAM };
    this.must(createAssociatedTokenIdempotent(setup));
    return deriveOutcomeTokens(owner, mint);
  }

  mint(side: OutcomeSide): Address {
    return deriveOutcomeMint(this.round, side).address;
  }

  buy(authority: Address, side: OutcomeSide, amountIn: bigint, minOut = 0n): Instruction {
    const accounts = { authority, round: this.round, side, feed: this.feed };
    return createForecastSwap(accounts, { isBuy: true, amountIn, minOut });
  }

  sell(authority: Address, side: OutcomeSide, amountIn: bigint, minOut = 0n): Instruction {
    const accounts = { authority, round: this.round, side, feed: this.feed };
    return createForecastSwap(accounts, { isBuy: false, amountIn, minOut });
  }

  settle(): Instruction {
    return createSettleForecastRound({ round: this.round, feed: this.feed });
  }

  void(): Instruction {
    return createVoidForecastRound(this.round);
  }

  payout(owner: Address, side: OutcomeSide, signer = this.operator): Instruction {
    return createForecastPayout(signer, { round: this.round, side, owner });
  }

  close(): Instruction {
    return createCloseForecastRound(this.operator, this.round);
  }

  read(round = this.round): ForecastRoundAccount {
    const found = this.network.account(round);
    const state = found === null ? null : decodeForecastRound(found.data);
    if (state === null) throw new Error('no round');
    return state;
  }

  /** Writes fields of the round. */
  set(changes: Partial<ForecastRoundAccount>): void {
    const data = encodeForecastRound({ ...this.read(), ...changes });
    this.network.setData(this.round, FORECAST_PROGRAM, data);
  }

  /** Writes what a trader has of a side, and as much into the supply of its mint. */
  setTokens(owner: Address, side: OutcomeSide, amount: bigint): void {
    this.#patch(this.mint(side), 36, amount);
    this.#patch(deriveOutcomeTokens(owner, this.mint(side)), 64, amount);
  }

  #patch(account: Address, offset: number, value: bigint): void {
    const found = this.network.account(account);
    if (found === null) throw new Error(`no account ${account}`);
    const data = Buffer.from(found.data);
    data.writeBigUInt64LE(value, offset);
    this.network.setAccount(account, { ...found, data: new Uint8Array(data) });
  }

  usdc(owner: Address): bigint {
    return this.balance(deriveForecastUsdc(owner));
  }

  tokens(owner: Address, side: OutcomeSide): bigint {
    return this.balance(deriveOutcomeTokens(owner, this.mint(side)));
  }

  get vault(): bigint {
    return this.balance(deriveForecastVault(this.round));
  }

  get reserve(): bigint {
    return this.balance(FORECAST_RESERVE);
  }

  balance(account: Address): bigint {
    const found = this.network.account(account);
    return found === null || found.data.length === 0 ? 0n : readTokenAccountAmount(found.data);
  }

  lamports(account: Address): bigint {
    return this.network.account(account)?.lamports ?? 0n;
  }

  exists(account: Address): boolean {
    return this.network.account(account) !== null;
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions);
  }

  /** Sends instructions that have to succeed, and returns their events. */
  must(...instructions: readonly Instruction[]): ForecastProgramEvent[] {
    const { error, logs } = this.send(...instructions);
    expect(error, logs.join('\n')).toBeNull();
    return readForecastEvents(logs);
  }

  /** Sends instructions that have to fail, and returns the code, or the runtime's word. */
  refusal(...instructions: readonly Instruction[]): number | string | undefined {
    const { error } = this.send(...instructions);
    return error?.custom ?? error?.kind;
  }
}

/** Returns the events in a log. */
export function readForecastEvents(logs: readonly string[]): ForecastProgramEvent[] {
  return logs
    .filter((line) => line.startsWith('Program data: '))
    .map((line) => decodeForecastEvent(Buffer.from(line.slice('Program data: '.length), 'base64')))
    .filter((event) => event !== null);
}

/** Returns an instruction with another account in one place. */
export function replaceForecastAccount(instruction: Instruction, index: number, to: Address): Instruction {
  const accounts = instruction.accounts.map((meta, at) => (at === index ? { ...meta, address: to } : meta));
  return { ...instruction, accounts };
}
