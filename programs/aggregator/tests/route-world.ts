import { readFileSync } from 'node:fs';
import { type AggregatorEvent, decodeEvent } from '../../../src/market/aggregator/events.ts';
import { AGGREGATOR_PROGRAM, getProgramAuthority } from '../../../src/protocol/venue/aggregator-program.ts';
import type { RouteAccountsV1, SharedRouteAccountsV1 } from '../../../src/market/aggregator/route-v1.ts';
import type { RouteAccounts, SharedRouteAccounts } from '../../../src/market/aggregator/route-v2.ts';
import { Swap } from '../../../src/protocol/venue/aggregator-step.ts';
import type { RouteStep } from '../../../src/protocol/venue/venue.ts';
import { type Address, address } from '../../../src/solana/address.ts';
import { ByteReader } from '../../../src/solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import { type Instruction, readonly, writable } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { encodeTokenAccount, TOKEN_ACCOUNT_SIZE } from '../../../src/solana/programs/token/account.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';

/** The scripted venue. It is loaded under the address of the venue with the fewest accounts. */
export const TEST_VENUE = readFileSync(
  new URL('../../../src/testing/svm/programs/test-venue.so', import.meta.url),
);
export const SCRIPTED = address('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8');

/** The initial balance of the user's accounts. All other accounts are empty. */
export const HOLDING = 1_000_000_000n;
const VAULT_HOLDING = 1n << 60n;
export const AUTHORITY_ID = 3;

/**
 * The behaviour of a scripted step: it takes at most `most`, and pays `numerator` / `denominator` of what it took.
 */
export interface Script {
  readonly most?: bigint;
  readonly numerator?: bigint;
  readonly denominator?: bigint;
  /** The step fails with this code instead. */
  readonly failure?: bigint;
  /** The step does nothing instead. */
  readonly idle?: true;
  /** The owner of the accounts and of the vaults. It is the user by default. */
  readonly authority?: Address;
  readonly tokenProgram?: Address;
}

/** Three tokens; a user and a program authority with an account for each; and a stranger who receives fees. */
export class RouteWorld {
  readonly network = new TestNetwork();
  readonly user: Address;
  readonly stranger: Address;
  readonly authority = getProgramAuthority(AUTHORITY_ID);
  readonly mints: Readonly<Record<'a' | 'b' | 'c', Address>>;
  readonly users: Readonly<Record<'a' | 'b' | 'c', Address>>;
  readonly programs: Readonly<Record<'a' | 'b' | 'c', Address>>;
  readonly strangers: Readonly<Record<'a' | 'b' | 'c', Address>>;

  constructor(aggregator: Uint8Array = shippedAggregator()) {
    const { network } = this;
    network.loadProgram(AGGREGATOR_PROGRAM, aggregator);
    network.loadProgram(SCRIPTED, TEST_VENUE);
    this.user = network.newWallet();
    this.stranger = network.newWallet();
    this.mints = { a: this.newMint(), b: this.newMint(), c: this.newMint() };
    this.users = this.#accountsOf(this.user, HOLDING);
    this.programs = this.#accountsOf(this.authority, 0n);
    this.strangers = this.#accountsOf(this.stranger, 0n);
  }

  newMint(program: Address = TOKEN_PROGRAM): Address {
    const mint = this.network.newAddress();
    const data = {
      mintAuthority: null,
      supply: 1n << 62n,
      decimals: 6,
      freezeAuthority: null,
      extensions: [],
    };
    this.network.setData(mint, program, encodeMint(data));
    return mint;
  }

  newTokenAccount(mint: Address, owner: Address, amount = 0n, program: Address = TOKEN_PROGRAM): Address {
    const account = this.network.newAddress();
    this.setTokenAccount(account, mint, owner, amount, program);
    return account;
  }

  setTokenAccount(
    account: Address,
    mint: Address,
    owner: Address,
    amount: bigint,
    program: Address = TOKEN_PROGRAM,
  ): void {
    const rest = {
      delegate: null,
      nativeReserve: null,
      delegatedAmount: 0n,
      closeAuthority: null,
      extensions: [],
    };
    const data = encodeTokenAccount({ mint, owner, amount, state: 'initialized', ...rest });
    this.network.setData(account, program, data);
  }

  /**
   * Returns a step from one token account to another through a pool of its own. Their mints are read from the
   * accounts.
   */
  step(from: Address, to: Address, script: Script = {}): RouteStep {
    const owner = script.authority ?? this.user;
    const program = script.tokenProgram ?? TOKEN_PROGRAM;
    const pool = this.network.newAddress();
    this.network.setData(pool, SCRIPTED, scriptData(script));
    const vaultIn = this.newTokenAccount(this.#mintOf(from), owner, 0n, program);
    const vaultOut = this.newTokenAccount(this.#mintOf(to), owner, VAULT_HOLDING, program);
    return {
      swap: Swap.raydiumV2,
      accounts: [
        readonly(SCRIPTED),
        readonly(program),
        writable(pool),
        readonly(owner),
        ...[vaultIn, vaultOut, from, to].map(writable),
        readonly(owner),
      ],
    };
  }

  /** Returns the accounts of a route from the user's `a` to its `b`. */
  accounts(change: Partial<RouteAccounts & RouteAccountsV1> = {}): RouteAccounts & RouteAccountsV1 {
    return {
      tokenProgram: TOKEN_PROGRAM,
      userTransferAuthority: this.user,
      userSourceTokenAccount: this.users.a,
      userDestinationTokenAccount: this.users.b,
      sourceMint: this.mints.a,
      destinationMint: this.mints.b,
      sourceTokenProgram: TOKEN_PROGRAM,
      destinationTokenProgram: TOKEN_PROGRAM,
      ...change,
    };
  }

  /** Returns the accounts of a route through the program authority's accounts. */
  sharedAccounts(
    change: Partial<SharedRouteAccounts & SharedRouteAccountsV1> = {},
  ): SharedRouteAccounts & SharedRouteAccountsV1 {
    return {
      ...this.accounts(),
      authorityId: AUTHORITY_ID,
      sourceTokenAccount: this.users.a,
      programSourceTokenAccount: this.programs.a,
      programDestinationTokenAccount: this.programs.b,
      destinationTokenAccount: this.users.b,
      ...change,
    };
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions, { feePayer: this.user });
  }

  balance(account: Address): bigint {
    return this.network.tokenBalance(account);
  }

  #accountsOf(owner: Address, amount: bigint): Record<'a' | 'b' | 'c', Address> {
    const of = (mint: Address) => this.newTokenAccount(mint, owner, amount);
    return { a: of(this.mints.a), b: of(this.mints.b), c: of(this.mints.c) };
  }

  /** A step may also name an account that is no token account. Its vaults are then of the first token. */
  #mintOf(account: Address): Address {
    const found = this.network.account(account);
    if (found === null || found.data.length < TOKEN_ACCOUNT_SIZE) return this.mints.a;
    return new ByteReader(found.data, 'token account').address();
  }
}

function shippedAggregator(): Uint8Array {
  return readFileSync(new URL('../../dist/aggregator.so', import.meta.url));
}

/** The format is described in programs/test-venue. Places are those of the step's accounts after the venue. */
function scriptData(script: Script): Uint8Array {
  const action = script.idle ? 0 : script.failure === undefined ? 1 : 2;
  return new ByteWriter(32)
    .bytes(Uint8Array.of(action, 0, 7, 5, 3, 4, 6, 1))
    .u64(script.failure ?? script.most ?? U64_MAX)
    .u64(script.numerator ?? 2n)
    .u64(script.denominator ?? 1n)
    .finish();
}

/** Returns the aggregator's events in the order in which they were emitted. */
export function eventsOf(outcome: TestOutcome): AggregatorEvent[] {
  const calls = outcome.inner.flat().filter((call) => call.program === AGGREGATOR_PROGRAM);
  return calls.map(({ data }) => {
    const event = decodeEvent(data);
    if (event === null) throw new Error(`not an event: ${Buffer.from(data).toString('hex')}`);
    return event;
  });
}

/** Returns the route's return value, or null if it returned none. */
export function returned(outcome: TestOutcome): bigint | null {
  return outcome.returnData.length === 0 ? null : new ByteReader(outcome.returnData, 'return value').u64();
}

/** Returns the token transfers that the aggregator made itself, in order. */
export function transfersOf(outcome: TestOutcome): { from: Address; to: Address; amount: bigint }[] {
  const calls = outcome.inner
    .flat()
    .filter((call) => call.stackHeight === 2 && call.program !== AGGREGATOR_PROGRAM);
  return calls.flatMap(({ data, accounts }) => {
    const tag = data[0];
    const isTransfer = (tag === 3 && data.length === 9) || (tag === 12 && data.length === 10);
    const [from, second, third] = accounts;
    const to = tag === 3 ? second : third;
    if (!isTransfer || from === undefined || to === undefined) return [];
    return [{ from, to, amount: new ByteReader(data, 'transfer', 1).u64() }];
  });
}

/** Returns the compute units of the whole transaction without those of a called program. */
export function unitsBesides(program: Address, outcome: TestOutcome): number {
  const taken = outcome.logs.map((line) => {
    const match = /^Program (\w+) consumed (\d+) of/.exec(line);
    return match?.[1] === program ? Number(match[2]) : 0;
  });
  return Number(outcome.units) - taken.reduce((sum, each) => sum + each, 0);
}
