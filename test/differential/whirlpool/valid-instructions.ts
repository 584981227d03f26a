import {
  namedAddress,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
  writeWallet,
} from '../../../programs/raydium-cpmm/tests/fixture.ts';
import {
  CONFIG,
  layOut,
  type Pool,
  swapPool,
  USER,
  USER_TOKENS,
  writeBalances,
  writePool,
} from '../../../programs/whirlpool/tests/fixture.ts';
import {
  changeLiquidity,
  closePosition,
  collectFees,
  initializeConfig,
  initializeFeeTier,
  initializePool,
  initializePoolV2,
  initializeTickArray,
  openPosition,
  positionOf,
  updateFees,
} from '../../../programs/whirlpool/tests/instructions.ts';
import {
  changeLiquidityV2,
  closePosition2022,
  collectFeesV2,
  collectReward,
  collectRewardV2,
  initializeDynamicTickArray,
  openPosition2022,
} from '../../../programs/whirlpool/tests/instructions-v2.ts';
import {
  deriveFeeTierAddress,
  deriveTickArrayAddress,
} from '../../../src/protocols/whirlpool/program/addresses.ts';
import { swap, swapV2 } from '../../../src/protocols/whirlpool/venue/instructions.ts';
import { encodeFeeTier } from '../../../src/protocols/whirlpool/program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { PoolCase } from '../../../src/testing/whirlpool/cases.ts';
import type { Twin } from '../twin.ts';
import { writeConfig } from './lives.ts';
import { REWARDS, writeRewards } from './rewards.ts';

const SPACING = 64;
const SPAN = 88 * SPACING;
const ADMIN = 'GwH3Hiv5mACLX3ufTw1pFsrhSPon5tdw252DBs4Rx4PV' as Address;
const AT: PoolCase = {
  tickSpacing: SPACING,
  feeRate: 3000,
  protocolFeeRate: 1300,
  tick: 0,
  sqrtPrice: 1n << 64n,
  ranges: [{ lower: -SPAN, upper: SPAN, liquidity: 1n << 40n }],
};

/** Every instruction that the stand-in has, as it should be, and accounts that do not belong into it. */
export function validInstructions(networks: Twin): [name: string, Instruction, Address[]][] {
  const plain = [token('valid a'), token('valid b')] as const;
  const extended = [
    token('valid c', [withTransferFee({ basisPoints: 10, maximumFee: 9n })]),
    plain[0],
  ] as const;
  const [pool, feePool] = [layOut(SPACING, plain), layOut(SPACING, extended)];
  const other = layOut(8, plain);
  networks.both((network) => {
    for (const wallet of [USER, ADMIN]) writeWallet(network, wallet);
    writeConfig(network, SPACING);
    const tier = encodeFeeTier({ config: CONFIG, tickSpacing: 8, defaultFeeRate: 500 });
    network.setData(deriveFeeTierAddress(CONFIG, 8), WHIRLPOOL_PROGRAM, tier);
    for (const each of [...plain, extended[0]]) writeMint(network, each);
    writePool(network, other, { ...AT, tickSpacing: 8, ranges: [{ lower: 0, upper: 8, liquidity: 5n }] });
  });
  return [
    ...swaps(networks, pool, feePool, other),
    ...ofPositions(networks, pool, other),
    ...makings(networks),
  ];
}

function strangersOf(pool: Pool, other: Pool): Address[] {
  return [
    ...[SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM],
    ...[CONFIG, deriveFeeTierAddress(CONFIG, 8), pool.address, other.address, ...pool.vaults],
    ...[...pool.tokens.map(({ mint }) => mint), ...USER_TOKENS, USER],
    ...[deriveTickArrayAddress(pool.address, 0), deriveTickArrayAddress(pool.address, SPAN)],
    ...[deriveTickArrayAddress(other.address, 0), namedAddress('nobody')],
  ];
}

function swaps(networks: Twin, pool: Pool, feePool: Pool, other: Pool): [string, Instruction, Address[]][] {
  const made: [string, Instruction, Address[]][] = [];
  const args = { amount: 1_000_000n, otherAmountThreshold: 0n, sqrtPriceLimit: 0n, exactIn: true };
  for (const [name, each, build] of [
    ['swap', pool, swap],
    ['swap_v2', pool, swapV2],
  ] as const) {
    write(networks, each);
    const user = { authority: USER, source: USER_TOKENS[0], destination: USER_TOKENS[1] };
    made.push([name, build(swapPool(each, AT), each.tokens[0].mint, user, args), strangersOf(each, other)]);
  }
  // Other accounts of the user, so that both pools can stand at the same time.
  const accounts = [namedAddress('fee user a'), namedAddress('fee user b')] as const;
  networks.both((network) => {
    writePool(network, feePool, AT);
    for (const side of [0, 1] as const) {
      writeTokenAccount(network, feePool.vaults[side], feePool.address, feePool.tokens[side], 1n << 60n);
      writeTokenAccount(network, accounts[side], USER, feePool.tokens[side], 1n << 60n);
    }
  });
  const user = { authority: USER, source: accounts[0], destination: accounts[1] };
  const withFees = swapV2(swapPool(feePool, AT), feePool.tokens[0].mint, user, args);
  return [...made, ['swap_v2 with fees', withFees, strangersOf(feePool, other)]];
}

function write(networks: Twin, pool: Pool): void {
  networks.both((network) => {
    writePool(network, pool, AT);
    writeBalances(network, pool, [1n << 60n, 1n << 60n], [1n << 60n, 1n << 60n]);
  });
}

function ofPositions(networks: Twin, pool: Pool, other: Pool): [string, Instruction, Address[]][] {
  const position = positionOf(namedAddress('valid position'), USER);
  const empty = positionOf(namedAddress('valid empty position'), USER);
  const accounts = { pool, position, user: USER_TOKENS, arrays: [-SPAN, SPAN] } as const;
  const open = openPosition(pool.address, USER, position, -SPAN, SPAN);
  const increase = changeLiquidity('increase', accounts, 1n << 30n, [U64_MAX, U64_MAX]);
  for (const instruction of [open, increase, openPosition(pool.address, USER, empty, -SPAN, SPAN)]) {
    const [ours, theirs] = networks.send(instruction);
    if (ours.error !== null || theirs.error !== null)
      throw new Error([...ours.logs, ...theirs.logs].join('\n'));
  }
  const strangers = [
    ...strangersOf(pool, other),
    ...[position.position, position.mint, position.token, empty.position, empty.mint, empty.token],
  ];
  const fresh = positionOf(namedAddress('valid fresh position'), USER);
  return [
    ...ofExtendedPositions(networks, pool, strangers),
    ['open_position', openPosition(pool.address, USER, fresh, -SPAN, SPAN), strangers],
    ['increase_liquidity', increase, strangers],
    ['decrease_liquidity', changeLiquidity('decrease', accounts, 1n << 20n, [0n, 0n]), strangers],
    ['update_fees_and_rewards', updateFees(accounts), strangers],
    ['collect_fees', collectFees(accounts), strangers],
    ['close_position', closePosition(empty, USER), strangers],
  ];
}

function ofExtendedPositions(
  networks: Twin,
  pool: Pool,
  strangers: Address[],
): [string, Instruction, Address[]][] {
  const of = (name: string) => positionOf(namedAddress(`valid extended ${name}`), USER, TOKEN_2022_PROGRAM);
  const [position, empty, fresh] = [of('position'), of('empty'), of('fresh')];
  const accounts = { pool, position, user: USER_TOKENS, arrays: [-SPAN, SPAN] } as const;
  const range = [-SPAN, SPAN] as const;
  const increase = changeLiquidityV2('increase', accounts, 1n << 30n, [U64_MAX, U64_MAX]);
  for (const instruction of [
    openPosition2022(pool.address, USER, position, range, false),
    increase,
    openPosition2022(pool.address, USER, empty, range, false),
  ]) {
    const [ours, theirs] = networks.send(instruction);
    if (ours.error !== null || theirs.error !== null)
      throw new Error([...ours.logs, ...theirs.logs].join('\n'));
  }
  networks.both((network) => writeRewards(network, pool));
  const ofRewards = REWARDS.flatMap(({ token: { mint }, vault, owner }) => [mint, vault, owner]);
  const all = [...strangers, ...[position, empty].flatMap((each) => [each.position, each.mint, each.token])];
  return [
    ['open_position_with_token_extensions', openPosition2022(pool.address, USER, fresh, range, false), all],
    ['increase_liquidity_v2', increase, all],
    ['decrease_liquidity_v2', changeLiquidityV2('decrease', accounts, 1n << 20n, [0n, 0n]), all],
    ['collect_fees_v2', collectFeesV2(accounts), all],
    ['collect_reward', collectReward(accounts, REWARDS[0]), [...all, ...ofRewards]],
    ['collect_reward_v2', collectRewardV2(accounts, REWARDS[1]), [...all, ...ofRewards]],
    ['close_position_with_token_extensions', closePosition2022(empty, USER), all],
  ];
}

function makings(networks: Twin): [string, Instruction, Address[]][] {
  const config = namedAddress('valid config');
  const [pool, other] = [
    layOut(SPACING, [token('valid e'), token('valid f')]),
    layOut(8, [token('valid a'), token('valid b')]),
  ];
  networks.both((network) => {
    for (const each of pool.tokens) writeMint(network, each);
  });
  const strangers = strangersOf(other, other);
  const price = 1n << 64n;
  return [
    ['initialize_config', initializeConfig(config, ADMIN, USER, 1300), [...strangers, ADMIN]],
    ['initialize_fee_tier', initializeFeeTier(CONFIG, USER, USER, 16, 1600), [...strangers, ADMIN]],
    ['initialize_pool', initializePool(CONFIG, pool, USER, SPACING, price), strangers],
    ['initialize_pool_v2', initializePoolV2(CONFIG, pool, USER, SPACING, price), strangers],
    ['initialize_tick_array', initializeTickArray(other.address, USER, -704 * 3), strangers],
    [
      'initialize_dynamic_tick_array',
      initializeDynamicTickArray(other.address, USER, -704 * 3, true),
      strangers,
    ],
  ];
}
