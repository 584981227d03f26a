import { beforeEach, describe, expect, it } from 'vitest';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import type { Address } from '../../solana/address.ts';
import { type Instruction, readonly, readonlySigner } from '../../solana/messages/instruction.ts';
import { decodeLookupTable, encodeLookupTable } from '../../solana/messages/lookup-table.ts';
import { openForEach } from '../../testing/opened.ts';

let table: Address;
let held: readonly Address[];
const market = openForEach(() => openTestMarket('without programs'));
beforeEach(setUp);

describe('LookupTables', () => {
  it('returns a whole table that holds two or more of the accounts', () => {
    const chosen = market.lookupTables.covering(naming(held.slice(3, 6)));
    expect(chosen).toEqual({ [table]: held });
  });

  it('returns null for a single account, because naming the table costs more than it saves', () => {
    expect(market.lookupTables.covering(naming(held.slice(3, 4)))).toBeNull();
  });

  it('returns null for accounts that no table holds', () => {
    const strangers = [market.network.newAddress(), market.network.newAddress()];
    expect(market.lookupTables.covering(naming(strangers))).toBeNull();
  });

  it('stops offering a table once it is being deactivated', () => {
    const account = market.network.account(table);
    if (account === null) throw new Error('no table');
    const data = encodeLookupTable({ ...decodeLookupTable(account.data), deactivationSlot: 5n });
    market.network.setAccount(table, { ...account, data });
    market.chain.publish([table]);
    expect(market.lookupTables.covering(naming(held.slice(3, 6)))).toBeNull();
  });

  it('ignores a table whose data cannot be read', () => {
    const account = market.network.account(table);
    if (account === null) throw new Error('no table');
    market.network.setAccount(table, { ...account, data: account.data.slice(0, 40) });
    market.chain.publish([table]);
    expect(market.lookupTables.covering(naming(held.slice(3, 6)))).toBeNull();
  });
});

function setUp(): void {
  const [first] = market.genesis.lookupTables;
  if (first === undefined) throw new Error('the genesis has no lookup table');
  table = first.address;
  held = first.addresses;
}

function naming(addresses: readonly Address[]): Instruction {
  return {
    programAddress: market.wallet,
    accounts: [readonlySigner(market.wallet), ...addresses.map(readonly)],
    data: new Uint8Array(0),
  };
}
