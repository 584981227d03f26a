import { describe, expect, it } from 'vitest';
import { buildGenesis, GENESIS_TIME } from '../../../src/sandbox/genesis/build-genesis.ts';
import { AccountLedger } from '../../../src/protocol/genesis/account-ledger.ts';
import { LendingBook } from '../../../src/protocols/jupiter-lend/genesis/book.ts';
import { addLending } from '../../../src/protocols/jupiter-lend/genesis/genesis.ts';
import { setUpEarn } from '../../../src/protocols/jupiter-lend/genesis/setup.ts';
import { addOracles } from '../../../src/protocols/jupiter-lend/oracle/genesis.ts';
import {
  LENDING_PROGRAM,
  LIQUIDITY_PROGRAM,
  ORACLE_PROGRAM,
  REWARDS_PROGRAM,
  VAULTS_PROGRAM,
} from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import { TOKEN_METADATA_PROGRAM } from '../../../src/solana/programs/token-metadata/program.ts';
import { setUpVaults } from '../../../src/protocols/jupiter-lend/vaults/genesis/setup.ts';
import { VaultBook } from '../../../src/protocols/jupiter-lend/vaults/genesis/vault-book.ts';
import { addVaults } from '../../../src/protocols/jupiter-lend/vaults/genesis/write-vaults.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ProgramSetup } from '../../lending/tests/program-setup.ts';
import { ProgramVaults } from './program-vaults.ts';

describe('the vaults in the genesis', () => {
  it('have the accounts that the programs would have made, byte for byte', () => {
    const genesis = buildGenesis('vaults genesis test');
    const { keys } = genesis;
    const setup = new ProgramSetup(keys.lendingAuthority.address, ['vaults', 'oracle']);
    setUpEarn(setup, keys, GENESIS_TIME);
    const parties = { liquidator: keys.liquidator.address, oracleAuthority: keys.poolCreator.address };
    setUpVaults(new ProgramVaults(setup, parties, genesis.accounts), setup, keys, GENESIS_TIME);

    const book = new LendingBook();
    setUpEarn(book, keys, GENESIS_TIME);
    const vaults = new VaultBook(book, keys.lendingAuthority.address);
    setUpVaults(vaults, book, keys, GENESIS_TIME);
    const ledger = new AccountLedger();
    addLending(ledger, keys, book);
    addOracles(ledger, keys);
    addVaults(ledger, keys.lendingAuthority.address, vaults.vaults());
    const written = ledger.accounts().filter(({ account }) => OWNED.includes(account.owner));
    expect(written.length).toBeGreaterThan(600);
    for (const { address, account } of written) {
      const made = setup.network.account(address);
      expect({ address, ...made, rentEpoch: null }).toEqual({ address, ...account, rentEpoch: null });
    }
  });
});

const OWNED: readonly Address[] = [
  VAULTS_PROGRAM,
  LIQUIDITY_PROGRAM,
  LENDING_PROGRAM,
  REWARDS_PROGRAM,
  ORACLE_PROGRAM,
  TOKEN_METADATA_PROGRAM,
];
