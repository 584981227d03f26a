import { getGenesisPools } from '../../protocol/genesis/venue-genesis.ts';
import { raydiumCpmmGenesis } from '../../protocols/raydium-cpmm/genesis/genesis.ts';
import { describe, expect, it } from 'vitest';
import { TestNetwork } from '../../testing/svm/network.ts';
import type { AddressedAccount } from '../../chain/records/records.ts';
import { swapBaseInput } from '../../protocols/raydium-cpmm/program/instructions.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../protocols/raydium-cpmm/program/program.ts';
import { type Address, address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { MEMO_PROGRAM } from '../../solana/program-addresses.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import { deriveProgramDataAddress } from '../../solana/programs/upgradeable-loader.ts';
import type { ClonedAccounts } from '../../chain/clone/clone.ts';
import { buildGenesis } from './build-genesis.ts';
import { createEmbeddedTokenLedgers } from '../../market/aggregator/token-ledgers.ts';
import { overlayAccounts, readStandIns } from './network-accounts.ts';
import { getProgramElf } from '../../chain/clone/program-binary.ts';

describe('overlayAccounts', () => {
  it('holds the programs as accounts that the runtime executes', () => {
    const network = new TestNetwork();
    for (const { address: at, account } of [...genesis.accounts, ...overlayAccounts(standIns, NOTHING)]) {
      network.setAccount(at, account);
    }
    const pool = getGenesisPools(genesis, raydiumCpmmGenesis).find(({ mints }) =>
      mints.every((mint) => !mint.startsWith('So1111')),
    );
    const authority = genesis.keys.demoWallets[0]?.address;
    if (pool === undefined || authority === undefined) throw new Error('no pool or wallet');
    const [source, destination] = pool.mints.map((mint, side) =>
      deriveAssociatedTokenAddress(authority, mint, pool.tokenPrograms[side] as Address),
    ) as [Address, Address];
    const swap = swapBaseInput(pool, pool.mints[0], { authority, source, destination }, 100_000n, 1n);
    const outcome = network.send([swap], { feePayer: authority });
    expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  });

  it('replaces stand-ins by what was loaded, and adds the rest', () => {
    const account = {
      lamports: 7n,
      owner: MEMO_PROGRAM,
      data: new Uint8Array(3),
      executable: false,
      rentEpoch: 0n,
    };
    const stranger = address('1nc1nerator11111111111111111111111111111111');
    const accounts = overlayAccounts(standIns, {
      accounts: [{ address: stranger, account }],
      programs: [{ address: RAYDIUM_CPMM_PROGRAM, elf: new Uint8Array([1, 2, 3]) }],
    });
    expect(accounts).toHaveLength(2 * standIns.length + createEmbeddedTokenLedgers().length + 1);
    expect(new Set(accounts.map((each) => each.address)).size).toBe(accounts.length);
    expect(accounts.find((each) => each.address === stranger)?.account).toBe(account);
    expect([...elfOf(accounts, RAYDIUM_CPMM_PROGRAM)]).toEqual([1, 2, 3]);
  });

  it('gives programs their rent and marks them executable', () => {
    const accounts = overlayAccounts(standIns, NOTHING);
    for (const { address: program, elf } of standIns) {
      const own = accounts.find((each) => each.address === program)?.account;
      expect(own?.executable).toBe(true);
      expect(own?.lamports).toBe(computeRentExemptMinimum(36));
      expect(elfOf(accounts, program)).toEqual(elf);
    }
  });
});

describe('readStandIns', () => {
  it('names the program whose binary is missing', async () => {
    const folder = new URL('../../genesis/no-such-folder/', import.meta.url);
    await expect(readStandIns(genesis.programs, folder)).rejects.toThrow(
      'the program raydium-cpmm of this installation cannot be read: ENOENT',
    );
  });
});

const genesis = buildGenesis('network accounts');
const standIns = await readStandIns(genesis.programs, new URL('../../../programs/dist/', import.meta.url));
const NOTHING: ClonedAccounts = { accounts: [], programs: [] };

function elfOf(accounts: readonly AddressedAccount[], program: Address): Uint8Array {
  const home = deriveProgramDataAddress(program);
  return getProgramElf(home, accounts.find((each) => each.address === home)?.account ?? null);
}
