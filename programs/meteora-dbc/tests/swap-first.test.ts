import { beforeEach, describe, expect, it } from 'vitest';
import { routeV2 } from '../../../src/market/aggregator/route-v2.ts';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import {
  type DbcSwapParties,
  swapDbc,
} from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { DbcBaseFeeMode } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { quoteFirstPurchase } from '../../../src/protocols/meteora-dbc/quote.ts';
import { meteoraDbc } from '../../../src/protocols/meteora-dbc/venue.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, token, writeTokenAccount, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { describeLaunch, type Launch, NOW, prepare, QUOTE, SLOT } from './fixture.ts';
import { readPool, USER, USER_TOKENS } from './swap-fixture.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc', 'token-metadata', 'aggregator']));
beforeEach(() => {
  prepare(network);
  writeWallet(network, USER);
  writeTokenAccount(network, USER_TOKENS[1], USER, QUOTE, 1_000n * UNIT);
  writeTokenAccount(network, REFERRAL, USER, QUOTE, 0n);
});

const UNIT = 1_000_000n;
const AMOUNT = 100n * UNIT;
const REFERRAL = namedAddress('dbc referrer of the first');
/** Half at first, and 2.5 % after ten minutes. */
const FALLING: Partial<DbcConfigParameters> = {
  enableFirstSwapWithMinFee: true,
  poolFees: {
    baseFee: {
      cliffFeeNumerator: 500_000_000n,
      firstFactor: 10,
      secondFactor: 60n,
      thirdFactor: 47_500_000n,
      baseFeeMode: DbcBaseFeeMode.LINEAR,
    },
    dynamicFee: null,
  },
};
const LEAST = (AMOUNT * 25n) / 1_000n;
const USUAL = AMOUNT / 2n;

describe('the first purchase in the transaction that creates the pool', () => {
  it('pays the lowest fee', () => {
    const launch = launchOf(FALLING);
    expect(feeOf(launch, create(launch), buy(launch))).toBe(LEAST);
  });

  it('is the only one that does', () => {
    const launch = launchOf(FALLING);
    expect(feeOf(launch, create(launch), buy(launch), buy(launch))).toBe(LEAST + USUAL);
  });

  it('also does under a rate limiter, whatever its amount', () => {
    const limiter = {
      cliffFeeNumerator: 10_000_000n,
      firstFactor: 100,
      secondFactor: 60n,
      thirdFactor: UNIT,
      baseFeeMode: DbcBaseFeeMode.RATE_LIMITER,
    };
    const launch = launchOf({ ...FALLING, poolFees: { baseFee: limiter, dynamicFee: null } });
    expect(feeOf(launch, create(launch), buy(launch))).toBe(AMOUNT / 100n);
  });

  it.each<[string, Partial<DbcConfigParameters>, Partial<DbcSwapParties>]>([
    ['the configuration does not say so', { enableFirstSwapWithMinFee: false }, {}],
    ['it is not shown the transaction', {}, { showsInstructions: false }],
    ['a referrer would get a share', {}, { referralTokenAccount: REFERRAL }],
  ])('pays the usual fee if %s', (_, changes, parties) => {
    const launch = launchOf({ ...FALLING, ...changes });
    expect(feeOf(launch, create(launch), buy(launch, parties))).toBe(USUAL);
  });

  it('pays the usual fee in a later transaction, and after the creation of another pool', () => {
    const [launch, other] = [launchOf(FALLING), launchOf(FALLING, 'second')];
    send(create(launch));
    expect(feeOf(launch, create(other), buy(launch))).toBe(USUAL);
  });

  it('pays the usual fee through the aggregator', () => {
    const launch = launchOf(FALLING);
    const twin = launchOf(FALLING, 'quoted');
    send(create(twin));
    expect(feeOf(launch, create(launch), route(launch, twin))).toBe(USUAL);
  });

  it('is quoted', () => {
    const launch = launchOf(FALLING);
    const twin = launchOf(FALLING, 'quoted');
    send(create(twin));
    const clock = { slot: SLOT, epoch: 0n, unixTimestamp: NOW };
    const quote = quoteFirstPurchase(stateOf(twin), AMOUNT, clock);
    feeOf(launch, create(launch), buy(launch));
    expect(quote?.outAmount).toBe(network.tokenBalance(USER_TOKENS[0]));
  });
});

function launchOf(changes: Partial<DbcConfigParameters>, name = 'first'): Launch {
  return describeLaunch({ name, changes });
}

/** Creates the configuration, and returns the instruction that creates the pool. */
function create({ instructions: [config, pool] }: Launch): Instruction {
  send(config);
  return pool;
}

/** Returns the fee that the instructions paid. The user has an account of the base token before its mint exists. */
function feeOf({ keys }: Launch, creation: Instruction, ...swaps: readonly Instruction[]): bigint {
  const base = { ...token('base'), mint: keys.baseMint, tokenProgram: keys.tokenBaseProgram };
  writeTokenAccount(network, USER_TOKENS[0], USER, base, 0n);
  send(creation, ...swaps);
  const { metrics } = readPool(network, keys.pool);
  return metrics.totalTradingQuoteFee + metrics.totalProtocolQuoteFee + network.tokenBalance(REFERRAL);
}

function buy({ keys }: Launch, more: Partial<DbcSwapParties> = {}): Instruction {
  const [base, quote] = USER_TOKENS;
  const parties = { payer: USER, inputTokenAccount: quote, outputTokenAccount: base };
  return swapDbc(
    keys,
    { ...parties, showsInstructions: true, ...more },
    { amountIn: AMOUNT, minimumAmountOut: 0n },
  );
}

function stateOf({ keys }: Launch) {
  const state = meteoraDbc.decode(keys.pool, (address) => network.account(address));
  if ('unusable' in state) throw new Error(state.unusable);
  return state;
}

/** A route through a pool that does not exist yet, made from the state of one with the same terms. */
function route({ keys }: Launch, twin: Launch): Instruction {
  const [base, quote] = USER_TOKENS;
  const pool = {
    ...stateOf(twin),
    address: keys.pool,
    config: keys.config,
    mints: [keys.baseMint, keys.quoteMint] as const,
    vaults: [keys.baseVault, keys.quoteVault] as const,
  };
  const step = meteoraDbc.routeStep(pool, keys.quoteMint, {
    authority: USER,
    source: quote,
    destination: base,
  });
  return routeV2(
    {
      inAmount: AMOUNT,
      quotedOutAmount: 1n,
      slippageBps: 10_000,
      steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
    },
    {
      userTransferAuthority: USER,
      userSourceTokenAccount: quote,
      userDestinationTokenAccount: base,
      sourceMint: keys.quoteMint,
      destinationMint: keys.baseMint,
      sourceTokenProgram: keys.tokenQuoteProgram,
      destinationTokenProgram: keys.tokenBaseProgram,
    },
  );
}

function send(...instructions: readonly Instruction[]): void {
  const { error, logs } = network.send(instructions);
  expect(error, logs.join('\n')).toBeNull();
}
