import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as vaults from '../src/protocols/jupiter-lend/vaults/instructions.ts';
import { createKeypairFromSeed } from '../src/solana/keypair.ts';
import { AccountRole } from '../src/solana/messages/instruction.ts';
import { readRows, readSection } from '../src/testing/page-tables.ts';

describe('what operate builds by docs/lend.md', () => {
  it('has the data of the table, where the encoder writes it', () => {
    let end = 0;
    const pieces = readRows(section, 'offset').map(([offset, bytes, what = '']) => {
      expect(Number(offset), what).toBe(end);
      end += Number(bytes);
      return { what, hex: toHex(operate.data.subarray(Number(offset), end)) };
    });
    expect(section).toContain(`Operate has ${end} bytes`);
    expect(end).toBe(operate.data.length);
    const values = ['d96ad06374972a87', COLLATERAL_HEX, DEBT_HEX, '0101', '03000000', '02', '01', '03'];
    expect(pieces.map(({ hex }) => hex)).toEqual(values);
    for (const index of [0, 3]) expect(pieces[index]?.what).toContain(values[index]);
  });

  it('has as many accounts as the table, writable as it says', () => {
    const rows = readRows(section, 'account').flatMap(([numbers = '', , writable = '']) =>
      numbers === 'then' ? [] : numbers.split(', ').map((number) => ({ number: Number(number), writable })),
    );
    expect(rows.map(({ number }) => number)).toEqual([...rows.keys()]);
    // Two sources of the oracle, one branch and three arrays stand behind them.
    expect(operate.accounts).toHaveLength(rows.length + 2 + 1 + 3);
    const writable = operate.accounts.map(({ role }) => (role & AccountRole.WRITABLE ? 'yes' : 'no'));
    expect(writable).toEqual([
      ...rows.map((row) => row.writable),
      ...['no', 'no', 'yes', 'yes', 'yes', 'yes'],
    ]);
  });

  it('begins its instructions with the eight bytes of the table', () => {
    const made = [
      vaults.initPosition(signer, 1, 7),
      vaults.initTick(signer, 1, -5),
      vaults.initBranch(signer, 1, 2),
      vaults.initTickIdLiquidation(signer, 1, { tick: -5, id: 3 }),
      operate,
    ];
    const named = readRows(section, 'instruction').map(([text = '']) => text.slice(1, 17));
    expect(made.map(({ data }) => toHex(data.subarray(0, 8)))).toEqual(named);
    const rest = made.slice(0, -1).map(({ data }) => toHex(data.subarray(8)));
    expect(rest).toEqual(['010007000000', '0100fbffffff', '010002000000', '0100fbffffff03000000']);
  });
});

const page = readFileSync(new URL('../docs/lend.md', import.meta.url), 'utf8');
const section = readSection(page, 'What `operate` builds');

const signer = createKeypairFromSeed(new Uint8Array(32).fill(1)).address;
const [COLLATERAL_HEX, DEBT_HEX] = [`00ca9a3b${'0'.repeat(24)}`, `ffffff${'f'.repeat(26)}`];
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const operate = vaults.createOperateInstruction(
  {
    config: {
      vaultId: 1,
      supplyToken: signer,
      borrowToken: signer,
      oracle: signer,
      liquidityProgram: signer,
      oracleProgram: signer,
    } as vaults.OperateVault['config'],
    supplyTokenProgram: signer,
    borrowTokenProgram: signer,
    oracleSources: [signer, signer],
  },
  { signer, positionOwner: signer },
  7,
  {
    currentTick: 1,
    finalTick: 2,
    currentTickId: { tick: 1, id: 1 },
    finalTickId: { tick: 2, id: 1 },
    newBranchId: 1,
    missingTicks: [],
    missingBranch: null,
    missingTickIds: [],
    branches: [1],
    arrays: [1, 2, 3],
  },
  { collateral: 1_000_000_000n, debt: -1n },
);
