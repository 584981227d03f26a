import { describe, expect, it } from 'vitest';
import { GENESIS_TIME } from '../../../src/sandbox/genesis/build-genesis.ts';
import { AccountLedger } from '../../../src/protocol/genesis/account-ledger.ts';
import { deriveGenesisKeys } from '../../../src/protocol/genesis/keys.ts';
import { LendingBook } from '../../../src/protocols/jupiter-lend/genesis/book.ts';
import { addLending } from '../../../src/protocols/jupiter-lend/genesis/genesis.ts';
import { setUpEarn } from '../../../src/protocols/jupiter-lend/genesis/setup.ts';
import {
  LENDING_PROGRAM,
  LIQUIDITY_PROGRAM,
  REWARDS_PROGRAM,
} from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import type { Address } from '../../../src/solana/address.ts';
import { TOKEN_METADATA_PROGRAM } from '../../../src/solana/programs/token-metadata/program.ts';
import { ProgramSetup } from './program-setup.ts';

describe('the lending programs in the genesis', () => {
  it('have the accounts that they would have made themselves, byte for byte', () => {
    const keys = deriveGenesisKeys(SEED);
    const setup = new ProgramSetup(keys.lendingAuthority.address);
    setUpEarn(setup, keys, GENESIS_TIME);
    const owned: readonly Address[] = [
      LENDING_PROGRAM,
      LIQUIDITY_PROGRAM,
      REWARDS_PROGRAM,
      TOKEN_METADATA_PROGRAM,
    ];
    // The book has no vaults, because they use the same reserves.
    const book = new LendingBook();
    setUpEarn(book, keys, GENESIS_TIME);
    const ledger = new AccountLedger();
    addLending(ledger, keys, book);
    const accounts = ledger.accounts();
    const written = accounts.filter(({ account }) => owned.includes(account.owner));
    expect(written.length).toBeGreaterThan(60);
    for (const { address, account } of written) {
      const made = setup.network.account(address);
      expect({ address, ...made, rentEpoch: null }).toEqual({ address, ...account, rentEpoch: null });
    }
  });
});

const SEED = 'lending genesis test';
