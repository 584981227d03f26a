import { type Pool, layOut, writePool } from '../../whirlpool/tests/fixture.ts';
import { type Token, token, writeMint, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import type { RouteAccounts } from '../../../src/market/aggregator/route-v2.ts';
import type { ExactOutAccountsV1, SharedRouteAccountsV1 } from '../../../src/market/aggregator/route-v1.ts';
import { AGGREGATOR_PROGRAM, getProgramAuthority } from '../../../src/protocol/venue/aggregator-program.ts';
import type { RoutePlanStep, RoutePlanStepV1 } from '../../../src/market/aggregator/route-plan.ts';
import { Swap } from '../../../src/protocol/venue/aggregator-step.ts';
import type { RouteStep } from '../../../src/protocol/venue/venue.ts';
import { deriveWhirlpoolOracleAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { whirlpool } from '../../../src/protocols/whirlpool/venue.ts';
import { encodeOracle, type Oracle } from '../../../src/protocols/whirlpool/program/oracle.ts';
import type { WhirlpoolPool } from '../../../src/protocols/whirlpool/venue/pool.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import { computeSqrtPriceAtTick } from '../../../src/protocols/whirlpool/program/tick-math.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type AccountMeta, type Instruction, readonly } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { Extension } from '../../../src/solana/programs/token/extensions.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import type { PoolCase } from '../../../src/testing/whirlpool/cases.ts';
import { AUTHORITY_ID } from './route-world.ts';

export const NOW = 1_700_000_000n;
const EPOCH = 5n;
const PLENTY = 1n << 50n;
export const HELD = 10n ** 12n;

const NAMES = ['a', 'b', 'c', 'd'] as const;
export type Name = (typeof NAMES)[number];
const OWNERS = ['user', 'program', 'stranger'] as const;
export type Owner = (typeof OWNERS)[number];

/** The differences of a pool from one of many positions around a price of 1. */
export interface PoolSpec extends Partial<PoolCase> {
  readonly oracle?: Omit<Oracle, 'whirlpool'>;
}

/** Four tokens, concentrated-liquidity pools of any two of them, and a user, a program authority and a stranger. */
export class ExactOutWorld {
  readonly network = new TestNetwork(['whirlpool', 'aggregator']);
  readonly user: Address;
  readonly stranger: Address;
  readonly authority = getProgramAuthority(AUTHORITY_ID);
  readonly tokens: Readonly<Record<Name, Token>>;
  readonly #accounts = new Map<`${Owner} ${Name}`, Address>();
  readonly #pools = new Map<string, Pool>();

  /** @param extensions - Those of the mints that belong to Token-2022. */
  constructor(extensions: Partial<Record<Name, readonly Extension[]>> = {}, aggregator?: Uint8Array) {
    const { network } = this;
    if (aggregator !== undefined) network.loadProgram(AGGREGATOR_PROGRAM, aggregator);
    network.setUnixTime(NOW);
    network.setEpoch(EPOCH);
    this.user = network.newWallet();
    this.stranger = network.newWallet();
    const made = (name: Name) => token(`exact ${name}`, extensions[name], extensions[name] !== undefined);
    this.tokens = { a: made('a'), b: made('b'), c: made('c'), d: made('d') };
    for (const name of NAMES) {
      writeMint(network, this.tokens[name]);
      for (const owner of OWNERS) this.#accounts.set(`${owner} ${name}`, network.newAddress());
    }
    this.reset();
  }

  /** Puts all balances back. */
  reset(): void {
    for (const name of NAMES) {
      for (const owner of OWNERS) this.hold(owner, name, owner === 'user' ? HELD : 1000n);
    }
  }

  account(owner: Owner, name: Name): Address {
    return this.#accounts.get(`${owner} ${name}`) as Address;
  }

  balance(owner: Owner, name: Name): bigint {
    return this.network.tokenBalance(this.account(owner, name));
  }

  hold(owner: Owner, name: Name, amount: bigint): void {
    const wallet = { user: this.user, program: this.authority, stranger: this.stranger }[owner];
    writeTokenAccount(this.network, this.account(owner, name), wallet, this.tokens[name], amount);
  }

  /** Writes a pool. Its spacing makes two pools of the same tokens different ones. */
  pool(key: string, pair: readonly [Name, Name], spec: PoolSpec = {}): void {
    const each = { ...aroundOne(spec.tickSpacing ?? 64), ...spec };
    const [one, other] = pair;
    const feeTierIndex = spec.oracle === undefined ? each.tickSpacing : each.tickSpacing + 1024;
    const pool = layOut(feeTierIndex, [this.tokens[one], this.tokens[other]]);
    writePool(this.network, pool, each, { feeTierIndex });
    for (const side of [0, 1] as const) {
      writeTokenAccount(this.network, pool.vaults[side], pool.address, pool.tokens[side], PLENTY);
    }
    if (spec.oracle !== undefined) {
      const data = encodeOracle({ whirlpool: pool.address, ...spec.oracle });
      this.network.setData(deriveWhirlpoolOracleAddress(pool.address), WHIRLPOOL_PROGRAM, data);
    }
    this.#pools.set(key, pool);
  }

  state(key: string): WhirlpoolPool {
    const address = (this.#pools.get(key) as Pool).address;
    const state = whirlpool.decode(address, (at) => this.network.account(at));
    if ('unusable' in state) throw new Error(state.unusable);
    return state;
  }

  /** The input that the pool takes for the output, or null if it does not pay that much. */
  takes(key: string, from: Name, amount: bigint): bigint | null {
    const clock = { slot: 1n, epoch: EPOCH, unixTimestamp: NOW };
    const quote = whirlpool.quoteExactOut(this.state(key), this.tokens[from].mint, amount, clock);
    return quote?.inAmount ?? null;
  }

  /** `plain`: the older variant of the step, for mints of the first token program. */
  step(
    key: string,
    [from, to]: readonly [Name, Name],
    [inputIndex, outputIndex]: readonly [number, number],
    more: { percent?: number; owner?: Owner; toOwner?: Owner; plain?: boolean } = {},
  ): RoutePlanStep & RoutePlanStepV1 {
    const { percent = 100, owner = 'user', toOwner = owner, plain = false } = more;
    const authority = owner === 'program' ? this.authority : this.user;
    const parties = { authority, source: this.account(owner, from), destination: this.account(toOwner, to) };
    const step = whirlpool.routeStep(this.state(key), this.tokens[from].mint, parties);
    return {
      step: plain ? olderVariant(step) : step,
      percent: Math.min(percent, 255),
      bps: percent * 100,
      inputIndex,
      outputIndex,
    };
  }

  accounts(from: Name, to: Name): RouteAccounts & ExactOutAccountsV1 {
    return {
      tokenProgram: TOKEN_PROGRAM,
      token2022Program: TOKEN_2022_PROGRAM,
      userTransferAuthority: this.user,
      userSourceTokenAccount: this.account('user', from),
      userDestinationTokenAccount: this.account('user', to),
      sourceMint: this.tokens[from].mint,
      destinationMint: this.tokens[to].mint,
      sourceTokenProgram: this.tokens[from].tokenProgram,
      destinationTokenProgram: this.tokens[to].tokenProgram,
    };
  }

  sharedAccounts(from: Name, to: Name): RouteAccounts & SharedRouteAccountsV1 {
    return {
      ...this.accounts(from, to),
      authorityId: AUTHORITY_ID,
      sourceTokenAccount: this.account('user', from),
      programSourceTokenAccount: this.account('program', from),
      programDestinationTokenAccount: this.account('program', to),
      destinationTokenAccount: this.account('user', to),
    };
  }

  send(instruction: Instruction): TestOutcome {
    return this.network.send([withReadonlyProgram(instruction)], { feePayer: this.user });
  }
}

/** A transaction cannot write the program that it calls: the absent accounts stay read-only in any place. */
export function withReadonlyProgram(instruction: Instruction): Instruction {
  const accounts = instruction.accounts.map((meta) =>
    meta.address === AGGREGATOR_PROGRAM ? readonly(meta.address) : meta,
  );
  return { ...instruction, accounts };
}

/** A pool with a position over the whole range and one in each of its arrays nearby, so that all of these exist. */
function aroundOne(tickSpacing: number): PoolCase {
  const end = Math.floor(443_636 / tickSpacing) * tickSpacing;
  const liquidity = 10n ** 12n;
  const inArrays = Array.from({ length: 7 }, (_, i) => ({
    lower: ((i - 3) * 88 + 10) * tickSpacing,
    upper: ((i - 3) * 88 + 60) * tickSpacing,
    liquidity,
  }));
  return {
    tickSpacing,
    feeRate: 3000,
    protocolFeeRate: 1300,
    tick: 5,
    sqrtPrice: computeSqrtPriceAtTick(5),
    ranges: [{ lower: -end, upper: end, liquidity }, ...inArrays],
    forms: 0,
  };
}

function olderVariant({ swap, accounts }: RouteStep): RouteStep {
  const [program, tokenProgram, , , user, pool, , , ...rest] = accounts as AccountMeta[];
  const oracle = rest.at(-1)?.address as Address;
  const kept = [program, tokenProgram, user, pool, ...rest.slice(0, -1)] as AccountMeta[];
  return { swap: Swap.whirlpool(swap[1] === 1), accounts: [...kept, readonly(oracle)] };
}
