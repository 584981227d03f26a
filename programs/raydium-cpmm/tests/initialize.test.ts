import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  derivePermissionAddress,
  derivePoolAddresses,
} from '../../../src/protocols/raydium-cpmm/program/addresses.ts';
import {
  initialize,
  initializeWithPermission,
} from '../../../src/protocols/raydium-cpmm/program/instructions.ts';
import {
  decodeObservationState,
  decodePool,
  type RaydiumPoolAccount,
  type RaydiumSides,
} from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import {
  RAYDIUM_CPMM_ADMIN,
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_POOL_FEE_RECEIVER,
  RAYDIUM_CPMM_PROGRAM,
} from '../../../src/protocols/raydium-cpmm/program/program.ts';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { decodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { type Extension, ExtensionType } from '../../../src/solana/programs/token/extensions.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  CONFIG_ADDRESS,
  layOut,
  namedAddress,
  type Pool,
  type PoolSpec,
  token,
  withTransferFee,
  writePool,
  writePoolFeeReceiver,
  writeWallet,
} from './fixture.ts';
import { createPermission } from './instructions.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const network = openForEach(() => new TestNetwork(['raydium-cpmm']));
beforeEach(setUp);

describe('initialize', () => {
  it('makes a pool with the square root of the product as LP supply, of which 100 are never minted', () => {
    const pool = prepare();
    expect(create(pool).error).toBeNull();
    const { addresses, user, tokens } = pool;
    expect(stateOf(pool)).toEqual({
      config: CONFIG_ADDRESS,
      creator: user.owner,
      vaults: addresses.vaults,
      lpMint: addresses.lpMint,
      mints: addresses.mints,
      tokenPrograms: [TOKEN_PROGRAM, TOKEN_PROGRAM],
      observation: addresses.observation,
      authorityBump: 253,
      status: 0,
      lpDecimals: 9,
      decimals: [tokens[0].decimals, tokens[1].decimals],
      lpSupply: 6_000_000n,
      protocolFees: [0n, 0n],
      fundFees: [0n, 0n],
      openTime: NOW + 1n,
      recentEpoch: 11n,
      creatorFeeOn: 0,
      creatorFeeEnabled: false,
      creatorFees: [0n, 0n],
    });
    expect(network.tokenBalance(user.lpToken)).toBe(5_999_900n);
    expect(addresses.vaults.map((vault) => network.tokenBalance(vault))).toEqual([4_000_000n, 9_000_000n]);
  });

  it('creates vaults, LP mint and observations with the right owners', () => {
    const pool = prepare();
    create(pool);
    const { addresses, user } = pool;
    for (const vault of addresses.vaults) expect(holdingOf(vault).owner).toBe(RAYDIUM_CPMM_AUTHORITY);
    expect(decodeMint(network.account(addresses.lpMint)?.data ?? new Uint8Array())).toMatchObject({
      mintAuthority: RAYDIUM_CPMM_AUTHORITY,
      freezeAuthority: null,
      decimals: 9,
      supply: 5_999_900n,
    });
    expect(holdingOf(user.lpToken)).toMatchObject({ owner: user.owner, mint: addresses.lpMint });
    const observation = network.account(addresses.observation);
    expect(decodeObservationState(observation?.data ?? new Uint8Array())).toMatchObject({
      initialized: false,
      pool: addresses.address,
    });
  });

  it('keeps a later opening, and moves an earlier one to the next second', () => {
    const opening = (openTime: bigint): bigint => {
      const pool = prepare();
      expect(create(pool, undefined, openTime).error).toBeNull();
      return stateOf(pool).openTime;
    };
    expect([NOW - 5n, NOW, NOW + 1n, NOW + 500n].map(opening)).toEqual([
      NOW + 1n,
      NOW + 1n,
      NOW + 1n,
      NOW + 500n,
    ]);
  });

  it('counts what arrives of tokens with a transfer fee, in vaults with room for it', () => {
    const pool = prepare({ tokens: [token('a', [ONE_PERCENT]), token('b', [ONE_PERCENT])] });
    expect(create(pool).error).toBeNull();
    expect(stateOf(pool).lpSupply).toBe(5_940_000n);
    expect(network.account(pool.addresses.vaults[0])?.data.length).toBe(178);
  });

  it('takes plain mints of Token-2022 into vaults of the plain size', () => {
    const pool = prepare({ tokens: [token('a', [], true), token('b')] });
    expect(create(pool).error).toBeNull();
    expect(pool.addresses.vaults.map((vault) => network.account(vault)?.data.length)).toEqual([165, 165]);
  });

  it('refuses an empty side, and a liquidity below the locked 100', () => {
    expect(create(prepare(), [0n, 1000n]).error).toMatchObject({ custom: 6002 });
    expect(create(prepare(), [1000n, 0n]).error).toMatchObject({ custom: 6002 });
    expect(create(prepare(), [99n, 99n]).error).toMatchObject({ custom: 6009 });
    expect(create(prepare(), [100n, 100n]).error).toBeNull();
  });

  it('charges the fee of the configuration, as wrapped SOL', () => {
    const pool = prepare({ config: { createPoolFee: 150_000_000n } });
    expect(create(pool).error).toBeNull();
    expect(holdingOf(RAYDIUM_CPMM_POOL_FEE_RECEIVER).amount).toBe(150_000_000n);
  });

  it('is refused by a configuration that is closed to new pools', () => {
    expect(create(prepare({ config: { disableCreatePool: true } })).error).toMatchObject({ custom: 6000 });
  });

  it('is refused if the pool already exists', () => {
    const pool = prepare();
    expect(create(pool).error).toBeNull();
    // The system program's AccountAlreadyInUse, for the LP mint.
    expect(create(pool).error).toMatchObject({ custom: 0 });
  });

  it('works even if lamports were sent to the new accounts before', () => {
    const pool = prepare();
    for (const address of [pool.addresses.address, pool.addresses.lpMint, ...pool.addresses.vaults]) {
      writeWallet(network, address, 5n);
    }
    expect(create(pool).error).toBeNull();
  });
});

describe('the address of a pool', () => {
  it('may be any that signs', () => {
    const pool = prepare();
    const free = derivePoolAddresses(CONFIG_ADDRESS, pool.tokens, namedAddress('free pool'));
    const user = {
      ...pool.user,
      lpToken: deriveAssociatedTokenAddress(pool.user.owner, free.lpMint, TOKEN_PROGRAM),
    };
    const start = { amounts: [1000n, 1000n] as const, openTime: 0n };
    expect(network.send([initialize(free, user, start)]).error).toMatchObject({ custom: 2501 });
    expect(network.send([initialize(free, user, start, true)]).error).toBeNull();
    expect(decodePool(network.account(free.address)?.data ?? new Uint8Array()).vaults).toEqual(free.vaults);
  });

  it('must not be in use', () => {
    const pool = prepare();
    network.setData(pool.addresses.address, namedAddress('another program'), new Uint8Array(8));
    expect(create(pool).error).toMatchObject({ custom: 6000 });
  });
});

describe('the mints of a pool', () => {
  const extension = (type: number, size: number): Extension => ({ type, data: new Uint8Array(size) });
  const withBytes = ({ type, data }: Extension, at: number): Extension => {
    const changed = Uint8Array.from(data);
    changed[at] = 1;
    return { type, data: changed };
  };

  it.each([
    ['a transfer fee', ONE_PERCENT],
    ['a metadata pointer', extension(ExtensionType.METADATA_POINTER, 64)],
    ['interest', extension(ExtensionType.INTEREST_BEARING_CONFIG, 52)],
    ['a scaled amount', extension(ExtensionType.SCALED_UI_AMOUNT, 56)],
    ['a transfer hook that can never be used', extension(ExtensionType.TRANSFER_HOOK, 64)],
  ])('may have %s', (_, each) => {
    expect(creating(each)).toBeNull();
  });

  it.each([
    ['a close authority', extension(ExtensionType.MINT_CLOSE_AUTHORITY, 32)],
    ['a permanent delegate', extension(ExtensionType.PERMANENT_DELEGATE, 32)],
    ['no way to be moved', extension(ExtensionType.NON_TRANSFERABLE, 0)],
    ['a default state', withBytes(extension(ExtensionType.DEFAULT_ACCOUNT_STATE, 1), 0)],
    ['a pause', extension(ExtensionType.PAUSABLE, 33)],
    ['a transfer hook', withBytes(extension(ExtensionType.TRANSFER_HOOK, 64), 40)],
    ['an authority over its transfer hook', withBytes(extension(ExtensionType.TRANSFER_HOOK, 64), 0)],
  ])('may not have %s', (_, each) => {
    expect(creating(ONE_PERCENT, each)).toMatchObject({ custom: 6007 });
  });

  it("may have anything once the program's admin has let them in", () => {
    const pool = prepare({
      tokens: [token('a', [extension(ExtensionType.MINT_CLOSE_AUTHORITY, 32)]), token('b')],
    });
    const letIn = pool.tokens.find(({ extensions }) => extensions.length > 0)?.mint ?? namedAddress('none');
    const seeds = [Buffer.from('support_mint'), toAddressBytes(letIn)];
    const permit = findProgramAddress(RAYDIUM_CPMM_PROGRAM, seeds).address;
    const tag = createHash('sha256').update('account:SupportMintAssociated').digest().subarray(0, 8);
    const data = Buffer.concat([tag, Buffer.of(255), toAddressBytes(letIn), Buffer.alloc(64)]);
    const plain = initialize(pool.addresses, pool.user, { amounts: [1000n, 1000n], openTime: 0n });
    const permitted = { ...plain, accounts: [...plain.accounts, { address: permit, role: 0 as const }] };
    expect(network.send([permitted]).error).toMatchObject({ custom: 6007 });
    network.setData(permit, RAYDIUM_CPMM_PROGRAM, data);
    expect(network.send([plain]).error).toMatchObject({ custom: 6007 });
    expect(network.send([permitted]).error).toBeNull();
  });

  it('stand in the order of their bytes', () => {
    const { addresses, user } = prepare();
    const flip = <T>([first, second]: RaydiumSides<T>): RaydiumSides<T> => [second, first];
    const flipped = { ...addresses, mints: flip(addresses.mints), vaults: flip(addresses.vaults) };
    const instruction = initialize(
      flipped,
      { ...user, tokens: flip(user.tokens) },
      {
        amounts: [1000n, 1000n],
        openTime: 0n,
      },
    );
    expect(network.send([instruction]).error).toMatchObject({ custom: 2003 });
  });

  const creating = (...extensions: readonly Extension[]) =>
    create(prepare({ tokens: [token('a', extensions), token('b')] })).error;
});

describe('initialize_with_permission', () => {
  it('makes a pool whose creator, not the payer, earns fees in the given token', () => {
    const pool = prepare();
    expect(network.send([createPermission(pool.user.owner)]).error).toBeNull();
    for (const creatorFeeOn of [0, 1, 2]) {
      const each = prepare();
      expect(createFor(each, creatorFeeOn).error).toBeNull();
      expect(stateOf(each)).toMatchObject({
        creator: namedAddress('artist'),
        creatorFeeOn,
        creatorFeeEnabled: true,
      });
      expect(network.tokenBalance(each.user.lpToken)).toBe(5_999_900n);
    }
  });

  it("is refused without the payer's own permission", () => {
    const pool = prepare();
    expect(createFor(pool, 0).error).toMatchObject({ custom: 3012 });
    network.send([createPermission(namedAddress('somebody'))]);
    const others = network.account(derivePermissionAddress(namedAddress('somebody')));
    if (others === null) throw new Error('no permission was made');
    const instruction = initializeWithPermission(
      pool.addresses,
      pool.user,
      namedAddress('artist'),
      { amounts: [4_000_000n, 9_000_000n], openTime: 0n },
      0,
    );
    const accounts = instruction.accounts.map((meta) =>
      meta.address === derivePermissionAddress(pool.user.owner)
        ? { ...meta, address: derivePermissionAddress(namedAddress('somebody')) }
        : meta,
    );
    expect(network.send([{ ...instruction, accounts }]).error).toMatchObject({ custom: 2006 });
  });

  it("takes one of three settings of the creator's token", () => {
    const pool = prepare();
    network.send([createPermission(pool.user.owner)]);
    expect(createFor(pool, 3).error).toMatchObject({ custom: 102 });
  });

  const createFor = (pool: Pool, creatorFeeOn: number) =>
    network.send([
      initializeWithPermission(
        pool.addresses,
        pool.user,
        namedAddress('artist'),
        { amounts: [4_000_000n, 9_000_000n], openTime: 0n },
        creatorFeeOn,
      ),
    ]);
});

it('leaves room between the accounts of pools that share a mint', () => {
  const first = layOut([token('a'), token('b')]).addresses;
  const second = layOut([token('a'), token('c')]).addresses;
  const own = (each: typeof first) => [each.address, each.lpMint, each.observation, ...each.vaults];
  expect(new Set([...own(first), ...own(second)]).size).toBe(10);
});

const NOW = 1_800_000_000n;
const ONE_PERCENT = withTransferFee({ basisPoints: 100, maximumFee: U64_MAX });

function setUp(): void {
  network.setUnixTime(NOW);
  network.setEpoch(11n);
  writePoolFeeReceiver(network);
  writeWallet(network, RAYDIUM_CPMM_ADMIN);
}

/** Writes a user with both tokens, and everything except the pool itself. */
function prepare(spec: PoolSpec = {}): Pool {
  const pool = writePool(network, spec);
  const { addresses, user } = pool;
  const made = [
    addresses.address,
    addresses.observation,
    addresses.lpMint,
    user.lpToken,
    ...addresses.vaults,
  ];
  for (const each of made) writeWallet(network, each, 0n);
  return pool;
}

const create = (pool: Pool, amounts: RaydiumSides<bigint> = [4_000_000n, 9_000_000n], openTime = 0n) =>
  network.send([initialize(pool.addresses, pool.user, { amounts, openTime })]);

function stateOf(pool: Pool): RaydiumPoolAccount {
  return decodePool(network.account(pool.addresses.address)?.data ?? new Uint8Array());
}

const holdingOf = (address: Address) =>
  decodeTokenAccount(network.account(address)?.data ?? new Uint8Array());
