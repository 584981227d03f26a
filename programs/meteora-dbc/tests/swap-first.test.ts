import { beforeEach, describe, expect, it } from 'vitest';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcSwapParties } from '../../../src/protocols/meteora-dbc/program/instructions-swap.ts';
import { DbcBaseFeeMode } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { quoteFirstPurchase } from '../../../src/protocols/meteora-dbc/quote.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeTokenAccount, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { describeLaunch, type Launch, NOW, prepare, QUOTE, SLOT } from './fixture.ts';
import { buy, fundUser, readPool, USER, USER_TOKENS } from './swap-fixture.ts';
import { readState, routeOver } from './swap-routes.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc', 'token-metadata', 'aggregator']));
beforeEach(() => {
  prepare(network);
  writeWallet(network, USER);
  writeTokenAccount(network, REFERRAL, USER, QUOTE, 0n);
});

describe('the first purchase in the transaction that creates the pool', () => {
  it('pays the lowest fee', () => {
    const launch = launchOf(FALLING);
    expect(feeOf(launch, create(launch), purchase(launch))).toBe(LEAST);
  });

  it('is the only one that does', () => {
    const launch = launchOf(FALLING);
    expect(feeOf(launch, create(launch), purchase(launch), purchase(launch))).toBe(LEAST + USUAL);
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
    expect(feeOf(launch, create(launch), purchase(launch))).toBe(AMOUNT / 100n);
  });

  it.each<[string, Partial<DbcConfigParameters>, Partial<DbcSwapParties>]>([
    ['the configuration does not say so', { enableFirstSwapWithMinFee: false }, {}],
    ['it is not shown the transaction', {}, { showsInstructions: false }],
    ['a referrer would get a share', {}, { referralTokenAccount: REFERRAL }],
  ])('pays the usual fee if %s', (_, changes, parties) => {
    const launch = launchOf({ ...FALLING, ...changes });
    expect(feeOf(launch, create(launch), purchase(launch, parties))).toBe(USUAL);
  });

  it('pays the usual fee in a later transaction, and after the creation of another pool', () => {
    const [launch, other] = [launchOf(FALLING), launchOf(FALLING, 'second')];
    send(create(launch));
    expect(feeOf(launch, create(other), purchase(launch))).toBe(USUAL);
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
    const quote = quoteFirstPurchase(readState(network, twin.keys.pool), AMOUNT, clock);
    feeOf(launch, create(launch), purchase(launch));
    expect(quote?.outAmount).toBe(network.tokenBalance(USER_TOKENS[0]));
  });
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
  fundUser(network, keys, QUOTE, 1_000n * UNIT);
  send(creation, ...swaps);
  const { metrics } = readPool(network, keys.pool);
  return metrics.totalTradingQuoteFee + metrics.totalProtocolQuoteFee + network.tokenBalance(REFERRAL);
}

/** A purchase that is shown the transaction. */
function purchase({ keys }: Launch, more: Partial<DbcSwapParties> = {}): Instruction {
  return buy(keys, AMOUNT, { showsInstructions: true, ...more });
}

/** A route through a pool that does not exist yet, made from the state of one with the same terms. */
function route({ keys }: Launch, twin: Launch): Instruction {
  const mints = [keys.baseMint, keys.quoteMint] as const;
  const vaults = [keys.baseVault, keys.quoteVault] as const;
  const state = readState(network, twin.keys.pool);
  return routeOver({ ...state, address: keys.pool, config: keys.config, mints, vaults }, AMOUNT);
}

function send(...instructions: readonly Instruction[]): void {
  const { error, logs } = network.send(instructions);
  expect(error, logs.join('\n')).toBeNull();
}
