import { expect, describe, it } from 'vitest';
import type { Account } from '../../chain/accounts.ts';
import type { LaunchFacts } from '../../launches/launch.ts';
import { deriveDammPoolAddress } from '../../protocols/meteora-damm-v2/program/addresses.ts';
import { deriveDbcPoolAddress } from '../../protocols/meteora-dbc/program/addresses.ts';
import { encodeDbcConfig } from '../../protocols/meteora-dbc/program/layout-config.ts';
import { encodeDbcPool } from '../../protocols/meteora-dbc/program/layout-pool.ts';
import { DBC_MIGRATION_CONFIGS, METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { createDbcAccount, PLAIN_DBC_CONFIG, PLAIN_DBC_POOL } from '../../testing/protocols/dbc-cases.ts';
import { numbered } from '../../testing/test-tokens.ts';
import { LaunchKeys } from '../keys/launch-keys.ts';
import { findLaunchAddresses } from './launch-addresses.ts';

const [MINT, CURVE, CONFIG] = [numbered(1), numbered(2), numbered(3)];

describe('findLaunchAddresses', () => {
  it('takes what the index knows, without a call', async () => {
    const graduated = { pool: numbered(5), at: 1n };
    expect(await find({ progress: null, graduated })).toEqual({ ...FOUND, graduated: numbered(5), calls: 0 });
    expect(await find({ progress: 43.5, graduated: null })).toEqual({ ...FOUND, graduated: null, calls: 0 });
  });

  it.each([
    ['selling', 0, null],
    ['migrated', 1, deriveDammPoolAddress(DBC_MIGRATION_CONFIGS[2] as Address, MINT, WRAPPED_SOL_MINT)],
  ])('reads what the index does not know yet: %s', async (_, isMigrated, graduated) => {
    put(CURVE, CONFIG, isMigrated);
    expect(await find({ progress: null, graduated: null })).toEqual({ ...FOUND, graduated, calls: 2 });
  });

  it('finds a launch of this gateway that the index has dropped', async () => {
    const config = KEYS.deriveConfigAddress(MINT);
    const curve = deriveDbcPoolAddress(config, MINT, WRAPPED_SOL_MINT);
    put(curve, config, 0);
    expect(await find(null)).toEqual({ curve, config, graduated: null, calls: 2 });
  });

  it('finds no launch of others that the index does not know, and none of another mint', async () => {
    put(deriveDbcPoolAddress(CONFIG, MINT, WRAPPED_SOL_MINT), CONFIG, 0);
    expect(await find(null)).toEqual({ calls: 1 });
  });
});

const KEYS = new LaunchKeys(new Uint8Array(32).fill(3));
const FOUND = { curve: CURVE, config: CONFIG };
const accounts = new Map<Address, Account>();

function put(curve: Address, config: Address, isMigrated: number): void {
  const pool = { ...PLAIN_DBC_POOL, baseMint: MINT, config, isMigrated };
  const terms = { ...PLAIN_DBC_CONFIG, quoteMint: WRAPPED_SOL_MINT, migrationFeeOption: 2 };
  accounts.set(curve, createDbcAccount(METEORA_DBC_PROGRAM, encodeDbcPool(pool)));
  accounts.set(config, createDbcAccount(METEORA_DBC_PROGRAM, encodeDbcConfig(terms)));
}

/** Looks for the mint, of which the index knows this, and counts the calls. */
async function find(known: Pick<LaunchFacts, 'progress' | 'graduated'> | null) {
  let calls = 0;
  const getAccounts = async (addresses: readonly Address[]) => {
    calls++;
    return addresses.map((address) => ({ address, slot: 1n, account: accounts.get(address) ?? null }));
  };
  const facts = { launchpad: '', launchedAt: null, pool: CURVE, config: CONFIG };
  const found = await findLaunchAddresses(
    {
      chain: { getAccounts },
      keys: KEYS,
      launches: { find: () => (known === null ? null : { ...facts, ...known }) },
      readKnown: () => null,
    },
    MINT,
  );
  accounts.clear();
  return { ...found, calls };
}
