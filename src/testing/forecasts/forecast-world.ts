import {
  decodeForecastRound,
  type ForecastRoundAccount,
} from '../../protocols/bisonfi-forecast/forecast-accounts.ts';
import {
  encodeForecastConfig,
  type ForecastSchedule,
} from '../../protocols/bisonfi-forecast/forecast-config.ts';
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
} from '../../protocols/bisonfi-forecast/forecast-program.ts';
import {
  createForecastSwap,
  type ForecastSwapTerms,
} from '../../protocols/bisonfi-forecast/instructions/forecast-token-instructions.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import {
  derivePriceFeedAddress,
  encodePriceFeed,
  PRICE_FEED_PROGRAM,
  type PriceFeed,
} from '../../solana/programs/price-feed/feed.ts';
import { readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { transferChecked } from '../../solana/programs/token/instructions.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { SvmChain } from '../svm/chain.ts';
import { TestNetwork } from '../svm/network.ts';
import { ordinaryTokenAccount } from '../token-account.ts';

/** The second in which every world begins. Rounds of all lengths begin in it. */
export const WORLD_START = 1_800_000_000;
/** What the reserve holds in the beginning, in micro USD. */
export const WORLD_RESERVE = 1_000_000_000_000n;
/** The price of the feed in the beginning: 108,500 dollars. */
export const WORLD_PRICE = 10_850_000_000_000n;
/** How often the feed is published, in seconds. */
const PUBLISHED_EVERY = 15;
/** Where a token account has its owner and its amount. */
const [TOKEN_OWNER_AT, TOKEN_AMOUNT_AT] = [32, 64];
const FEED_ID = new Uint8Array(32).fill(7);

/** A network with the real program, its reserve, and a feed that is published every 15 seconds. */
export class ForecastTestWorld {
  readonly network = new TestNetwork(['forecast'], 'forecasts');
  readonly chain = new SvmChain(this.network);
  readonly operator = createTestKey(1);
  readonly feed = derivePriceFeedAddress(FEED_ID);
  readonly schedules: readonly ForecastSchedule[] = [300, 900].map((seconds) => ({
    feed: this.feed,
    asset: 'BTC',
    seconds,
    funding: 5_000_000_000n,
    deviation: 5_000,
    halfSpread: 10_000,
    slope: 10_000,
  }));
  /** Whether the feed is published while time passes. */
  isPublishing = true;
  #wallets = 10;
  #update: PriceFeed;

  constructor() {
    const mint = { mintAuthority: null, supply: 1n << 60n, decimals: 6, freezeAuthority: null };
    this.network.setData(FORECAST_USDC, TOKEN_PROGRAM, encodeMint({ ...mint, extensions: [] }));
    const config = encodeForecastConfig({ operator: this.operator.address, schedules: this.schedules });
    this.network.setData(FORECAST_CONFIG, FORECAST_PROGRAM, config);
    this.give(FORECAST_AUTHORITY.address, WORLD_RESERVE);
    this.setLamports(this.operator.address, 100_000_000_000n);
    this.#update = {
      writeAuthority: this.operator.address,
      feedId: FEED_ID,
      price: WORLD_PRICE,
      confidence: WORLD_PRICE / 2_000n,
      exponent: -8,
      publishTime: BigInt(WORLD_START),
      previousPublishTime: BigInt(WORLD_START - PUBLISHED_EVERY),
      averagePrice: WORLD_PRICE,
      averageConfidence: WORLD_PRICE / 2_000n,
      postedSlot: 1n,
    };
    this.setClock(WORLD_START);
    this.#write();
  }

  now(): number {
    return Number(this.chain.clock().unixTimestamp);
  }

  /** Sets the clock, and nothing else. */
  setClock(second: number): void {
    this.network.setUnixTime(BigInt(second));
    this.chain.pass(1n);
  }

  /** Publishes a price as of now. */
  publish(price = this.#update.price, changed: Partial<PriceFeed> = {}): void {
    const { publishTime: previousPublishTime } = this.#update;
    this.#update = {
      ...this.#update,
      price,
      previousPublishTime,
      publishTime: BigInt(this.now()),
      ...changed,
    };
    this.#write();
  }

  /** Lets a second pass, in which the feed is published if it is due. */
  passSecond(): void {
    this.setClock(this.now() + 1);
    const age = BigInt(this.now()) - this.#update.publishTime;
    if (this.isPublishing && (age < 0n || age >= PUBLISHED_EVERY)) this.publish();
  }

  /** Sets what an owner has in USDC. */
  give(owner: Address, amount: bigint): void {
    const data = ordinaryTokenAccount({ mint: FORECAST_USDC, owner, amount });
    this.network.setData(deriveForecastUsdc(owner), TOKEN_PROGRAM, data);
    this.chain.publish([deriveForecastUsdc(owner)]);
  }

  setLamports(address: Address, lamports: bigint): void {
    const account = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
    this.network.setAccount(address, { ...account, lamports });
    this.chain.publish([address]);
  }

  /** Creates a wallet with USDC, whose address is on the curve. */
  trader(usdc = 1_000_000_000n): Address {
    const { address } = createTestKey(++this.#wallets);
    this.setLamports(address, 10_000_000_000n);
    this.give(address, usdc);
    return address;
  }

  /** Returns the round of a length that begins at a second, whether it exists or not. */
  roundAt(openAt = WORLD_START, seconds = 300): Address {
    return deriveForecastRound({ feed: this.feed, seconds, openTime: BigInt(openAt) }).address;
  }

  /** Buys tokens for an amount of USDC. Returns the token account. */
  buy(owner: Address, round: Address, side: OutcomeSide, amountIn: bigint): Address {
    if (!this.tryToBuy(owner, round, side, amountIn)) throw new Error('the program refused the purchase');
    return deriveOutcomeTokens(owner, deriveOutcomeMint(round, side).address);
  }

  /** Returns whether the program has allowed a purchase. */
  tryToBuy(owner: Address, round: Address, side: OutcomeSide, amountIn: bigint): boolean {
    return this.#swap(owner, round, side, { isBuy: true, amountIn, minOut: 0n });
  }

  /** Sells hundredths of what an owner holds. Returns whether the program has allowed it. */
  tryToSell(owner: Address, round: Address, side: OutcomeSide, hundredths: bigint): boolean {
    const held = this.balance(deriveOutcomeTokens(owner, deriveOutcomeMint(round, side).address));
    return this.#swap(owner, round, side, { isBuy: false, amountIn: (held * hundredths) / 100n, minOut: 0n });
  }

  #swap(owner: Address, round: Address, side: OutcomeSide, terms: ForecastSwapTerms): boolean {
    const mint = deriveOutcomeMint(round, side).address;
    const { error } = this.network.send([
      createAssociatedTokenIdempotent({ payer: owner, owner, mint, tokenProgram: TOKEN_2022_PROGRAM }),
      createForecastSwap({ authority: owner, round, side, feed: this.feed }, terms),
    ]);
    this.chain.publish([round]);
    return error === null;
  }

  /** Sends all tokens of one side to somebody else, if there are any. */
  transferTokens(from: Address, to: Address, round: Address, side: OutcomeSide): void {
    const mint = deriveOutcomeMint(round, side).address;
    const source = deriveOutcomeTokens(from, mint);
    const amount = this.balance(source);
    if (amount === 0n) return;
    this.land(
      source,
      createAssociatedTokenIdempotent({ payer: from, owner: to, mint, tokenProgram: TOKEN_2022_PROGRAM }),
      transferChecked(TOKEN_2022_PROGRAM, {
        source,
        mint,
        destination: deriveOutcomeTokens(to, mint),
        authority: from,
        amount,
        decimals: 6,
      }),
    );
  }

  /** Sends instructions that have to succeed, and tells everybody of the account that they change. */
  land(changed: Address, ...instructions: readonly Instruction[]): void {
    const { error, logs } = this.network.send(instructions);
    if (error !== null) throw new Error(`${error.custom ?? error.kind}: ${logs.join('\n')}`);
    this.chain.publish([changed]);
  }

  /** Returns a round as the chain has it; null if it does not exist. */
  readRound(round: Address): ForecastRoundAccount | null {
    const account = this.network.account(round);
    return account === null ? null : decodeForecastRound(account.data);
  }

  /** Returns how a round has ended, `open` before, and null if it does not exist. */
  statusOf(round: Address): string | null {
    return this.readRound(round)?.status ?? null;
  }

  usdc(owner: Address): bigint {
    return this.balance(deriveForecastUsdc(owner));
  }

  get reserve(): bigint {
    return this.balance(FORECAST_RESERVE);
  }

  vaultOf(round: Address): bigint {
    return this.balance(deriveForecastVault(round));
  }

  /** Returns what the reserve and the vaults of all rounds hold. */
  async sumHouse(): Promise<bigint> {
    let sum = this.reserve;
    for (const { address } of await this.chain.getProgramAccounts(FORECAST_PROGRAM)) {
      if (this.readRound(address) !== null) sum += this.vaultOf(address);
    }
    return sum;
  }

  balance(account: Address): bigint {
    const found = this.network.account(account);
    return found === null || found.data.length === 0 ? 0n : readTokenAccountAmount(found.data);
  }

  /** Gives all tokens of an account to another owner. Returns the account that has them then. */
  moveTokens(from: Address, owner: Address, mint: Address): Address {
    return this.splitTokens(from, owner, mint, this.balance(from));
  }

  /** Gives some tokens of an account to another owner. Returns the account that has them then. */
  splitTokens(from: Address, owner: Address, mint: Address, amount: bigint): Address {
    const to = deriveOutcomeTokens(owner, mint);
    const account = this.network.account(from);
    if (account === null) throw new Error('there is no such token account');
    const given = Uint8Array.from(account.data);
    given.set(toAddressBytes(owner), TOKEN_OWNER_AT);
    setTokenAmount(given, amount);
    this.network.setAccount(to, { ...account, data: given });
    const left = Uint8Array.from(account.data);
    setTokenAmount(left, this.balance(from) - amount);
    this.network.setAccount(from, { ...account, data: left });
    return to;
  }

  /** Returns what puts accounts back into the state that they have now. */
  save(...addresses: readonly Address[]): () => void {
    const saved = addresses.map((address) => ({ address, account: this.network.account(address) }));
    return () => {
      for (const { address, account } of saved) {
        if (account !== null) this.network.setAccount(address, account);
      }
      // Otherwise the same transaction would have the same signature, and would have landed already.
      this.network.svm.expireBlockhash();
      this.chain.publish(addresses);
    };
  }

  /** An owner closes the account of USDC, and has spent what was in it. */
  closeUsdc(owner: Address): void {
    this.setLamports(deriveForecastUsdc(owner), 0n);
  }

  #write(): void {
    this.network.setData(this.feed, PRICE_FEED_PROGRAM, encodePriceFeed(this.#update));
    this.chain.publish([this.feed]);
  }
}

function setTokenAmount(data: Uint8Array, amount: bigint): void {
  new DataView(data.buffer, data.byteOffset).setBigUint64(TOKEN_AMOUNT_AT, amount, true);
}

function createTestKey(number: number): Keypair {
  const seed = new Uint8Array(32);
  new DataView(seed.buffer).setUint32(0, number);
  return createKeypairFromSeed(seed);
}
