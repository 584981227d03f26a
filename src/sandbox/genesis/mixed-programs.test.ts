import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../protocols/index.ts';
import { buildGenesis } from './build-genesis.ts';
import { findMixedPrograms } from './mixed-programs.ts';
import { listPrograms } from './programs.ts';

describe('findMixedPrograms', () => {
  it('names the products that call a public liquidity program, and what to load as well', () => {
    expect(noticesOf('liquidity')).toEqual([
      expect.stringMatching(
        /^the program liquidity that was loaded at jupei\w+ is called by stand-ins of this installation \(lending, vaults and flashloan\), so that some calls may be refused: deposit, mint, withdraw and redeem of earn; operate, liquidate and rebalance of borrow; flash loans\. .* Load lending, vaults and flashloan of the same release too$/,
      ),
    ]);
  });

  it.each([
    ['lending', 'deposit and mint of earn'],
    ['vaults', 'operate with a deposit or repayment, liquidate and rebalance of borrow'],
    ['flashloan', 'flash loans'],
  ])('names what fails with a public %s program', (name, failing) => {
    expect(noticesOf(name)).toEqual([
      expect.stringContaining(`(liquidity), so that some calls may be refused: ${failing}. `),
    ]);
  });

  it('says nothing of programs that are loaded together, of those that fit, and of stand-ins that are loaded themselves', () => {
    expect(noticesOf('liquidity', 'lending', 'vaults', 'flashloan')).toEqual([]);
    expect(noticesOf('lending-reward-rate-model', 'oracle', 'saber')).toEqual([]);
    expect(findMixedPrograms(programs, standIns, standIns)).toEqual([]);
    expect(noticesOf('liquidity', 'lending')).toEqual([expect.stringContaining('(vaults and flashloan)')]);
  });
});

const programs = listPrograms(PROTOCOLS);
const standIns = buildGenesis('mixed').programs.map(({ address }) => ({ address, elf: Uint8Array.of(1) }));

function noticesOf(...names: readonly string[]): string[] {
  const loaded = programs.filter(({ name }) => names.includes(name));
  expect(loaded).toHaveLength(names.length);
  return findMixedPrograms(
    programs,
    standIns,
    loaded.map(({ address }) => ({ address, elf: Uint8Array.of(2) })),
  );
}
