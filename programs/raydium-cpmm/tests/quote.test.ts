import { expect, it } from 'vitest';
import { reportDifferences, sampleCases } from '../../../src/testing/random.ts';
import { raydiumCpmm } from '../../../src/protocols/raydium-cpmm/venue.ts';
import { swapBaseInput, swapBaseOutput } from '../../../src/protocols/raydium-cpmm/program/instructions.ts';
import type { Account } from '../../../src/chain/accounts.ts';
import type { RaydiumSides } from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import type { Quote } from '../../../src/protocol/venue/venue.ts';
import type { Address } from '../../../src/solana/address.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type Encoded, type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  type Pool,
  swapParties,
  type Token,
  writeMint,
  writePool,
  writeSwapAccounts,
  writeTokenAccount,
} from './fixture.ts';
import { EPOCH, NOW, type SwapCase, swapCase, tokensOf } from './swap-cases.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';

const SEED = 20_261_121;
const SUITE = { cases: 10_000, short: 500, seed: SEED, against: 'the program' };

it(`pays what was quoted, to the atom, and refuses what was not, in ${SUITE.cases} random swaps`, async () => {
  const cases = sampleCases(swapCase, SUITE);
  const bench = new Bench();
  const differences: string[] = [];
  let executed = 0;
  for (const [index, each] of cases.entries()) {
    if (index % 200 === 0) await yieldToOtherWork();
    const pool = bench.write(each);
    const result = run(bench, pool, each);
    if (result.outcome.error === null) executed++;
    const different = difference(result, U64_MAX - each.vaultAmounts[each.inputSide]);
    if (different !== null) differences.push(`${different}\n  in ${show(each)}`);
  }
  process.stdout.write(
    `raydium-cpmm: ${cases.length} swaps quoted, ${executed} executed, ${cases.length - executed} refused by both, ` +
      `${differences.length} different\n`,
  );
  reportDifferences(differences.length, cases.length, 'the program');
  expect(differences.slice(0, 5)).toEqual([]);
  expect(executed).toBeGreaterThan(cases.length / 2);
  expect(cases.length - executed).toBeGreaterThan(cases.length / 10);
});

interface EncodedSwap extends Encoded {
  readonly amounts: DataView;
}

/** Records the written accounts, because reading them from the network is slower. */
class RecordingNetwork extends TestNetwork {
  readonly written = new Map<Address, Account>();

  override setAccount(address: Address, account: Account): void {
    // The network's constructor writes a wallet before this map exists.
    this.written?.set(address, account);
    super.setAccount(address, account);
  }
}

/** One pool per pair of kinds, with fixed addresses. Each case then rewrites its accounts. */
class Bench {
  readonly network = new RecordingNetwork(['raydium-cpmm']);
  readonly #pools = new Map<string, Pool>();
  readonly #swaps = new Map<string, EncodedSwap>();

  constructor() {
    this.network.setUnixTime(NOW);
    this.network.setEpoch(EPOCH);
  }

  /** The swap's transaction, encoded once per pool and direction: only its two amounts change. */
  swap(pool: Pool, { kinds, inputSide, exact }: SwapCase, first: bigint, second: bigint): TestOutcome {
    const name = `${kinds.join(' ')} ${inputSide} ${exact}`;
    let encoded = this.#swaps.get(name);
    if (encoded === undefined) {
      encoded = this.#encode(pool, inputSide, exact);
      this.#swaps.set(name, encoded);
    }
    encoded.amounts.setBigUint64(0, first, true);
    encoded.amounts.setBigUint64(8, second, true);
    return this.network.sendEncoded(encoded);
  }

  #encode(pool: Pool, inputSide: 0 | 1, exact: 'in' | 'out'): EncodedSwap {
    const build = exact === 'in' ? swapBaseInput : swapBaseOutput;
    const { addresses } = pool;
    const instruction = build(addresses, addresses.mints[inputSide], swapParties(pool, inputSide), 0n, 0n);
    const encoded = this.network.encode([instruction]);
    const at = Buffer.from(encoded.wire).indexOf(instruction.data);
    if (at < 0) throw new Error('the transaction does not have the instruction in it');
    return { ...encoded, amounts: new DataView(encoded.wire.buffer, encoded.wire.byteOffset + at + 8, 16) };
  }

  write(each: SwapCase): Pool {
    const tokens = tokensOf(each);
    const pool = { ...this.#pool(each.kinds, tokens), tokens };
    writeSwapAccounts(this.network, pool, each);
    for (const side of [0, 1] as const) {
      if (each.kinds[side] === 'transfer fee') writeMint(this.network, tokens[side]);
      const amount = side === each.inputSide ? U64_MAX - each.vaultAmounts[side] : 1n;
      writeTokenAccount(this.network, pool.user.tokens[side], pool.user.owner, tokens[side], amount);
    }
    return pool;
  }

  #pool(kinds: RaydiumSides<string>, tokens: RaydiumSides<Token>): Pool {
    const name = kinds.join(' ');
    const known = this.#pools.get(name);
    if (known !== undefined) return known;
    const pool = writePool(this.network, { tokens });
    this.#pools.set(name, pool);
    return pool;
  }
}

interface Run {
  readonly quote: Quote | null;
  readonly outcome: TestOutcome;
  readonly moved: { readonly inAmount: bigint; readonly outAmount: bigint };
}

/** Quotes, then swaps with the quote as limit. */
function run(bench: Bench, pool: Pool, each: SwapCase): Run {
  const { network } = bench;
  const { addresses } = pool;
  const { inputSide, exact, amount } = each;
  const inputMint = addresses.mints[inputSide];
  const { source, destination } = swapParties(pool, inputSide);
  const clock = { slot: 0n, epoch: EPOCH, unixTimestamp: NOW };
  const state = raydiumCpmm.decode(addresses.address, (address) => network.written.get(address) ?? null);
  const quoteOf = exact === 'in' ? raydiumCpmm.quoteExactIn : raydiumCpmm.quoteExactOut;
  const quote = 'unusable' in state ? null : quoteOf(state, inputMint, amount, clock);
  const outcome =
    exact === 'in'
      ? bench.swap(pool, each, amount, quote?.outAmount ?? 0n)
      : bench.swap(pool, each, quote?.inAmount ?? U64_MAX, amount);
  const inAmount = U64_MAX - each.vaultAmounts[inputSide] - network.tokenBalance(source);
  return { quote, outcome, moved: { inAmount, outAmount: network.tokenBalance(destination) - 1n } };
}

/** Returns null if quote and execution agree, otherwise the difference. */
function difference({ quote, outcome, moved }: Run, balance: bigint): string | null {
  const executed = outcome.error === null;
  if (quote === null) return executed ? `refused to quote, but it moved ${show(moved)}` : null;
  // No account can hold the input of such a swap, so the token program refuses it.
  if (quote.inAmount > balance) return executed ? 'spent more than there was' : null;
  if (!executed) return `quoted ${show(quote)}, but ${show(outcome.error)} ${outcome.logs.join(' | ')}`;
  if (moved.inAmount !== quote.inAmount || moved.outAmount !== quote.outAmount) {
    return `quoted ${show(quote)}, moved ${show(moved)}`;
  }
  return eventFee(outcome) === quote.feeAmount ? null : `fee ${quote.feeAmount}, event ${eventFee(outcome)}`;
}

/** Returns the trade fee in the swap's event, including the creator's if it was taken from the input. */
function eventFee({ logs }: TestOutcome): bigint {
  const line = logs.find((each) => each.startsWith('Program data: ')) ?? '';
  const event = Buffer.from(line.slice('Program data: '.length), 'base64');
  return event.readBigUInt64LE(153) + (event[169] === 1 ? event.readBigUInt64LE(161) : 0n);
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
