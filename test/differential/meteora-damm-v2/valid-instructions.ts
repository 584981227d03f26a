import {
  namedAddress,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
  writeWallet,
} from '../../../programs/raydium-cpmm/tests/fixture.ts';
import { NOW } from '../../../programs/meteora-damm-v2/tests/cases.ts';
import {
  layOut,
  type Pool,
  parties,
  REFERRALS,
  USER,
  USER_TOKENS,
  writeConfig,
  writeDynamicConfig,
} from '../../../programs/meteora-damm-v2/tests/fixture.ts';
import {
  addLiquidity,
  type CustomPoolTerms,
  claimPositionFee,
  closePosition,
  createPosition,
  initializeCustomizablePool,
  initializePoolWithDynamicConfig,
  type LockTerms,
  lockInnerPosition,
  lockPosition,
  permanentLockPosition,
  type PositionParties,
  refreshVesting,
  removeAllLiquidity,
  removeLiquidity,
} from '../../../programs/meteora-damm-v2/tests/instructions.ts';
import {
  deriveDammPoolAddress,
  deriveDammPositionAddress,
  deriveDammPositionTokenAddress,
  deriveDammVaultAddress,
} from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import { swap, swap2 } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { Twin } from '../twin.ts';

const TERMS: CustomPoolTerms = {
  baseFee: { cliff: 2_500_000n, mode: 0, periods: 0, middle: 0n, last: 0n },
  compoundingBps: 0,
  dynamicFee: null,
  hasAlphaVault: false,
  collectFeeMode: 0,
  sqrtMinPrice: MIN_SQRT_PRICE,
  sqrtMaxPrice: MAX_SQRT_PRICE,
  sqrtPrice: 1n << 64n,
  liquidity: 1n << 104n,
  activationType: 1,
  activationPoint: NOW,
};

const AUTHORITY = namedAddress('damm config authority');
const LOCK: LockTerms = {
  cliffPoint: null,
  periodFrequency: 10n,
  cliffLiquidity: 1n << 90n,
  liquidityPerPeriod: 1n << 90n,
  periods: 3,
};

/** Every instruction as it should be, and accounts that do not belong into it. */
export function validInstructions(networks: Twin): [name: string, Instruction, Address[]][] {
  const made: [string, Instruction, Address[]][] = [];
  for (const kind of ['plain', 'extended'] as const) {
    const fee = withTransferFee({ basisPoints: 100, maximumFee: 1000n });
    const tokens = [token(`damm ${kind} c`, kind === 'plain' ? [] : [fee]), token(`damm ${kind} d`)] as const;
    const pool = layOut(tokens);
    const other = layOut([token(`damm ${kind} e`), token(`damm ${kind} f`)]);
    const unmade = layOut([tokens[0], other.tokens[0]]);
    const user = positionOf(`${kind} first`);
    const empty = positionOf(`${kind} empty`);
    fund(networks, [...pool.tokens, ...other.tokens], pool);
    make(networks, other, positionOf(`${kind} other`));
    fund(networks, [...pool.tokens, ...other.tokens], pool);
    make(networks, pool, user);
    networks.send(createPosition(pool, empty));
    networks.send(swap(pool, parties(true), 1_000_000n, 0n));
    const [vesting, otherVesting] = [namedAddress(`damm ${kind} vesting`), namedAddress(`damm ${kind} lock`)];
    const unmadeVesting = namedAddress(`damm ${kind} unmade vesting`);
    const stranger = positionOf(`${kind} other`);
    send(networks, lockPosition(pool, user, { ...LOCK, vesting }));
    send(networks, lockPosition(other, stranger, { ...LOCK, vesting: otherVesting }));
    const [config, otherConfig] = [namedAddress(`damm ${kind} config`), namedAddress(`damm ${kind} free`)];
    networks.both((network) => {
      writeWallet(network, AUTHORITY);
      writeDynamicConfig(network, config, AUTHORITY);
      writeConfig(network, otherConfig, TERMS);
    });
    const strangers = [
      ...[SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM],
      ...[pool.address, ...pool.vaults, ...pool.mints, ...USER_TOKENS, USER],
      ...[
        deriveDammPositionAddress(user.positionMint),
        deriveDammPositionTokenAddress(user.positionMint),
        user.positionMint,
      ],
      ...[other.address, ...other.vaults, ...other.mints, namedAddress('nothing')],
    ];
    const locking = [
      ...[...strangers, vesting, otherVesting, config],
      ...[
        deriveDammPositionAddress(stranger.positionMint),
        deriveDammPositionTokenAddress(stranger.positionMint),
      ],
    ];
    const both = [U64_MAX, U64_MAX] as const;
    const none = [0n, 0n] as const;
    const fresh = positionOf(`${kind} fresh`);
    const exactOut = { amounts: [1000n, U64_MAX] as const, mode: 2, referral: REFERRALS[1] };
    const payer = { ...fresh, tokens: unmadeTokens(networks, unmade) };
    made.push(
      [`swap ${kind}`, swap(pool, parties(true), 100_000n, 1n), strangers],
      [`swap2 ${kind}`, swap2(pool, parties(true), exactOut), strangers],
      [`add_liquidity ${kind}`, addLiquidity(pool, user, 1n << 90n, both), strangers],
      [`remove_liquidity ${kind}`, removeLiquidity(pool, user, 1n << 90n, none), strangers],
      [`remove_all_liquidity ${kind}`, removeAllLiquidity(pool, user, none), strangers],
      [`claim_position_fee ${kind}`, claimPositionFee(pool, user), strangers],
      [`create_position ${kind}`, createPosition(pool, fresh), strangers],
      [`close_position ${kind}`, closePosition(pool, empty), strangers],
      [`initialize_customizable_pool ${kind}`, initializeCustomizablePool(unmade, payer, TERMS), strangers],
      [
        `initialize_pool_with_dynamic_config ${kind}`,
        initializePoolWithDynamicConfig(underConfig(unmade, config), payer, {
          ...TERMS,
          config,
          authority: AUTHORITY,
        }),
        [...strangers, config, otherConfig],
      ],
      [`lock_position ${kind}`, lockPosition(pool, user, { ...LOCK, vesting: unmadeVesting }), locking],
      [`lock_inner_position ${kind}`, lockInnerPosition(pool, user, LOCK), locking],
      [`permanent_lock_position ${kind}`, permanentLockPosition(pool, user, 1n << 90n), locking],
      [`refresh_vesting ${kind}`, refreshVesting(pool, user, [vesting]), locking],
    );
  }
  return made;
}

function positionOf(name: string): PositionParties {
  return { owner: USER, tokens: USER_TOKENS, positionMint: namedAddress(`damm position ${name}`) };
}

function fund(networks: Twin, tokens: readonly Pool['tokens'][0][], { tokens: own }: Pool): void {
  networks.both((network) => {
    writeWallet(network, USER);
    for (const each of tokens) writeMint(network, each);
    for (const side of [0, 1] as const) {
      writeTokenAccount(network, USER_TOKENS[side], USER, own[side], 1n << 60n);
      writeTokenAccount(network, REFERRALS[side], USER, own[side], 0n);
    }
  });
}

function make(networks: Twin, pool: Pool, user: PositionParties): void {
  const tokens = unmadeTokens(networks, pool);
  send(networks, initializeCustomizablePool(pool, { ...user, tokens }, TERMS));
}

/** Sends an instruction that must succeed in both networks. */
function send(networks: Twin, instruction: Instruction): void {
  for (const outcome of networks.send(instruction)) {
    if (outcome.error !== null) throw new Error(outcome.logs.join('\n'));
  }
}

/** The pool of the same tokens under a configuration. */
function underConfig(pool: Pool, config: Address): Pool {
  const address = deriveDammPoolAddress(config, ...pool.mints);
  const [a, b] = pool.mints;
  return {
    ...pool,
    address,
    vaults: [deriveDammVaultAddress(address, a), deriveDammVaultAddress(address, b)],
  };
}

/** Token accounts of the user for a pool that does not exist yet. */
function unmadeTokens(networks: Twin, { tokens }: Pool): readonly [Address, Address] {
  const accounts = [namedAddress(`for ${tokens[0].mint}`), namedAddress(`for ${tokens[1].mint}`)] as const;
  networks.both((network) => {
    for (const side of [0, 1] as const) {
      writeTokenAccount(network, accounts[side], USER, tokens[side], 1n << 60n);
    }
  });
  return accounts;
}
