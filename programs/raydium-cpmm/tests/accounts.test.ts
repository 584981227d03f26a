import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { deriveRaydiumConfigAddress } from '../../../src/protocols/raydium-cpmm/program/addresses.ts';
import {
  deposit,
  initialize,
  swapBaseInput,
  withdraw,
} from '../../../src/protocols/raydium-cpmm/program/instructions.ts';
import type { RaydiumSides } from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../src/protocols/raydium-cpmm/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, isSigner, type AccountRole } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  CONFIG,
  layOut,
  namedAddress,
  swapParties,
  token,
  writePool,
  writePoolFeeReceiver,
  writeTokenAccount,
} from './fixture.ts';
import { collectProtocolFee, updatePoolStatus } from './instructions.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const ANY: RaydiumSides<bigint> = [U64_MAX, U64_MAX];

const network = openForEach(() => new TestNetwork(['raydium-cpmm']));
const other = openForEach(() => writePool(network, { tokens: [token('c'), token('d')] }));
const pool = openForEach(() => writePool(network));
beforeEach(setUp);

describe('a swap refuses', () => {
  it.each([
    ['another authority', 1, () => namedAddress('x'), 2006],
    ['a configuration that does not exist', 2, () => namedAddress('x'), 3012],
    ['a configuration of another program', 2, () => pool.user.tokens[0], 3007],
    ['another account of the program as configuration', 2, () => pool.addresses.address, 3002],
    ['another configuration', 2, () => deriveRaydiumConfigAddress(1), 2012],
    ['a pool that does not exist', 3, () => namedAddress('x'), 3007],
    ['another account of the program as pool', 3, () => deriveRaydiumConfigAddress(0), 3002],
    ['a token account that does not exist', 4, () => namedAddress('x'), 3012],
    ['a wallet as token account', 4, () => pool.user.owner, 3007],
    ['a mint as token account', 4, () => pool.addresses.mints[0], 'InvalidAccountData'],
    ['a vault of another pool', 6, () => other.addresses.vaults[0], 2003],
    ['the same vault twice', 7, () => pool.addresses.vaults[0], 2012],
    ['another program as token program', 8, () => RAYDIUM_CPMM_PROGRAM, 3008],
    ['another mint', 10, () => other.addresses.mints[0], 2012],
    ['a token account as mint', 10, () => pool.user.tokens[0], 'InvalidAccountData'],
    ['observations of another pool', 12, () => other.addresses.observation, 2012],
    ['the pool as observations', 12, () => pool.addresses.address, 3002],
  ] as const)('%s', (_, at, replacement, code) => {
    const error = errorWith(swap(), at, replacement());
    expect(error).toMatchObject(typeof code === 'number' ? { custom: code } : { kind: code });
  });

  it('both vaults in the same place, with their mint', () => {
    const once = swap();
    const accounts = once.accounts
      .with(7, { address: pool.addresses.vaults[0], role: 1 })
      .with(11, { address: pool.addresses.mints[0], role: 0 });
    expect(network.send([{ ...once, accounts }]).error).toMatchObject({ custom: 6008 });
  });

  it('a user who does not sign, and accounts that may not be written', () => {
    expect(errorWithout(swap(), 0, 2)).toMatchObject({ custom: 3010 });
    for (const at of [3, 4, 5, 6, 7, 12]) {
      expect(errorWithout(swap(), at, 1), `account ${at}`).toMatchObject({ custom: 2000 });
    }
  });

  it('the tokens of an owner who does not sign', () => {
    writeTokenAccount(network, pool.user.tokens[0], namedAddress('somebody'), pool.tokens[0], 1n << 50n);
    // The token program's OwnerMismatch.
    expect(network.send([swap()]).error).toMatchObject({ custom: 4 });
  });

  it('data that is cut off, and unknown instructions', () => {
    const error = (data: Uint8Array) => network.send([{ ...swap(), data }]).error;
    expect(error(swap().data.subarray(0, 23))).toMatchObject({ custom: 102 });
    expect(error(new Uint8Array(8))).toMatchObject({ custom: 101 });
    expect(error(new Uint8Array(3))).toMatchObject({ custom: 101 });
  });

  it('the instructions that only the public program’s operator uses, with a log line', () => {
    const left = ['create_support_mint_associated', 'close_creator_fee_share', 'collect_excess_lamports'];
    for (const name of left) {
      const data = createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
      const { error, logs } = network.send([{ ...swap(), data }]);
      expect(error).toMatchObject({ custom: 101 });
      expect(logs.join()).toContain('leaves out this instruction');
    }
  });

  it('fewer accounts than it needs', () => {
    const short = { ...swap(), accounts: swap().accounts.slice(0, 12) };
    expect(network.send([short]).error).toMatchObject({ custom: 3005 });
  });

  it('but not more', () => {
    const long = {
      ...swap(),
      accounts: [...swap().accounts, { address: namedAddress('more'), role: 0 as const }],
    };
    expect(network.send([long]).error).toBeNull();
  });
});

describe.each([
  ['a deposit', () => deposit(pool.addresses, pool.user, 1000n, ANY)],
  ['a withdrawal', () => withdraw(pool.addresses, pool.user, 1000n, [0n, 0n])],
] as const)('%s refuses', (name, build) => {
  it.each([
    ['another authority', 1, () => namedAddress('x'), 2006],
    ['another pool', 2, () => other.addresses.address, 2003],
    ['a token account of another mint', 4, () => pool.user.tokens[1], 2014],
    ['a vault of another pool', 6, () => other.addresses.vaults[0], 2014],
    ['the vaults the wrong way round', 7, () => pool.addresses.vaults[0], 2014],
    ['another token program', 8, () => TOKEN_2022_PROGRAM, 3008],
    ['another Token-2022 program', 9, () => TOKEN_PROGRAM, 3008],
    ['another mint', 10, () => pool.addresses.mints[1], 2012],
    ['another LP mint', 12, () => other.addresses.lpMint, 6004],
  ] as const)('%s', (_, at, replacement, custom) => {
    expect(errorWith(build(), at, replacement())).toMatchObject({ custom });
  });

  it('an owner who does not sign, and accounts that may not be written', () => {
    expect(errorWithout(build(), 0, 2)).toMatchObject({ custom: 3010 });
    for (const at of [2, 3, 4, 5, 6, 7, 12]) {
      expect(errorWithout(build(), at, 1), `account ${at}`).toMatchObject({ custom: 2000 });
    }
  });

  it('fewer accounts than it needs', () => {
    const { accounts } = build();
    const short = { ...build(), accounts: accounts.slice(0, accounts.length - 1) };
    expect(network.send([short]).error).toMatchObject({ custom: 3005 });
    if (name === 'a withdrawal') {
      expect(errorWith(build(), 13, namedAddress('x'))).toMatchObject({ custom: 2012 });
    }
  });
});

it.each([
  ['a pool of another configuration', 3, () => deriveRaydiumConfigAddress(1), 2012],
  ['vaults of another pool', 4, () => other.addresses.vaults[0], 2003],
  ['another mint', 6, () => pool.addresses.mints[1], 2012],
  ['a recipient that is no token account', 8, () => pool.user.owner, 3007],
] as const)('collecting fees refuses %s', (_, at, replacement, custom) => {
  const collect = collectProtocolFee(pool.addresses, CONFIG.protocolOwner, pool.user.tokens, ANY);
  expect(errorWith(collect, at, replacement())).toMatchObject({ custom });
});

it('the status of nothing but a pool can be set', () => {
  const update = updatePoolStatus(pool.addresses.address, 0);
  expect(errorWith(update, 1, deriveRaydiumConfigAddress(0))).toMatchObject({ custom: 3002 });
  expect(errorWithout(update, 1, 1)).toMatchObject({ custom: 2000 });
  expect(errorWithout(update, 0, 2)).toMatchObject({ custom: 3010 });
});

describe('the creation of a pool refuses', () => {
  it('nothing when all is right', () => {
    expect(network.send([creation()]).error).toBeNull();
  });

  it.each([
    ['a configuration that does not exist', 1, () => namedAddress('x'), 3012],
    ['another authority', 2, () => namedAddress('x'), 2006],
    ['a wallet as mint', 4, () => pool.user.owner, 3007],
    ['another LP mint', 6, () => namedAddress('x'), 2006],
    ['another vault', 10, () => namedAddress('x'), 2006],
    ['another account for the fee', 12, () => pool.user.tokens[0], 2012],
    ['other observations', 13, () => namedAddress('x'), 2006],
    ['Token-2022 for the LP mint', 14, () => TOKEN_2022_PROGRAM, 3008],
    ['another associated token program', 17, () => TOKEN_PROGRAM, 3008],
    ['another rent sysvar', 19, () => namedAddress('x'), 3015],
  ] as const)('%s', (_, at, replacement, custom) => {
    expect(errorWith(creation(), at, replacement())).toMatchObject({ custom });
  });

  it("a token program that does not own the mint, and token accounts that are not the creator's", () => {
    const instruction = creation();
    const wrongProgram =
      instruction.accounts[15]?.address === TOKEN_PROGRAM ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
    expect(errorWith(instruction, 15, wrongProgram)).toMatchObject({ custom: 2022 });
    const account = instruction.accounts[7]?.address ?? namedAddress('none');
    writeTokenAccount(network, account, namedAddress('somebody'), pool.tokens[0], 1n << 50n);
    expect(network.send([instruction]).error).toMatchObject({ custom: 2015 });
    writeTokenAccount(network, account, pool.user.owner, other.tokens[0], 1n << 50n);
    expect(network.send([instruction]).error).toMatchObject({ custom: 2014 });
  });

  it('a creator who does not sign', () => {
    const instruction = creation();
    expect(isSigner(instruction.accounts[0]?.role ?? 0)).toBe(true);
    expect(errorWithout(instruction, 0, 2)).toMatchObject({ custom: 3010 });
  });

  /** Returns the creation of a pool that does not exist yet, with one token of each of two other pools. */
  function creation(): Instruction {
    const tokens = [pool.tokens[0], token('e', [], true)] as const;
    const made = writePool(network, { tokens });
    const fresh = layOut(tokens);
    const { address, observation, lpMint, vaults } = made.addresses;
    for (const each of [address, observation, lpMint, made.user.lpToken, ...vaults]) {
      network.setAccount(each, { ...EMPTY });
    }
    return initialize(fresh.addresses, made.user, { amounts: [1000n, 1000n], openTime: 0n });
  }

  const EMPTY = {
    lamports: 0n,
    owner: namedAddress('nobody'),
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: 0n,
  };
});

function setUp(): void {
  writePoolFeeReceiver(network);
  const config = network.account(deriveRaydiumConfigAddress(0));
  if (config !== null) network.setAccount(deriveRaydiumConfigAddress(1), config);
}

const swap = (): Instruction =>
  swapBaseInput(pool.addresses, pool.addresses.mints[0], swapParties(pool, 0), 1000n, 0n);

/** Returns the error if account `at` is replaced by `address`. */
function errorWith(instruction: Instruction, at: number, address: Address) {
  const { role } = instruction.accounts[at] ?? { role: 0 };
  return network.send([{ ...instruction, accounts: instruction.accounts.with(at, { address, role }) }]).error;
}

/** Returns the error if account `at` has fewer rights: without the bit of signing (2) or writing (1). */
function errorWithout(instruction: Instruction, at: number, bit: 1 | 2) {
  const accounts = instruction.accounts.map((meta, i) =>
    i === at ? { ...meta, role: (meta.role & ~bit) as AccountRole } : meta,
  );
  return network.send([{ ...instruction, accounts }]).error;
}
