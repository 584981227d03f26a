import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from './index.ts';
import { PLATFORMS, POSITION_FETCHERS } from './fetchers.ts';
import { VENUES } from './venues.ts';

describe('PROTOCOLS', () => {
  it('lists each folder once, under its own name', () => {
    expect(PROTOCOLS.map(({ name }) => name).sort()).toEqual(folders.sort());
  });

  it('names each program and address once', () => {
    expect(new Set(programs.map(({ name }) => name)).size).toBe(programs.length);
    expect(new Set(programs.map(({ address }) => address)).size).toBe(programs.length);
  });

  it.each(programs)('has a crate that bears the name of the program: $name', ({ name }) => {
    expect(existsSync(new URL(`../../programs/${name}/Cargo.toml`, import.meta.url))).toBe(true);
  });

  it('has a crate or a family of crates for each venue, or one that its name ends with', () => {
    for (const { name, programs: own = [], venue } of PROTOCOLS) {
      if (venue === undefined || own.some((program) => name.endsWith(program.name))) continue;
      const folder = readdirSync(new URL(`${name}/`, import.meta.url));
      expect(
        own.map((program) => program.name).filter((program) => folder.includes(program)),
        name,
      ).not.toEqual([]);
    }
  });

  it('has pools of the genesis only for venues', () => {
    for (const { name, venue, genesis } of PROTOCOLS) {
      if (genesis?.pools !== undefined) expect(venue, name).toBeDefined();
    }
  });
});

describe('VENUES', () => {
  it('has each label once', () => {
    expect(VENUES.length).toBeGreaterThan(0);
    expect(new Set(VENUES.map(({ label }) => label)).size).toBe(VENUES.length);
  });
});

describe('PLATFORMS', () => {
  it('has each id once, and every platform that a fetcher reads', () => {
    const ids = PLATFORMS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { platformId } of POSITION_FETCHERS) expect(ids).toContain(platformId);
  });

  it('is in the order in which clients have seen it from the beginning', () => {
    expect(PLATFORMS.map(({ id }) => id)).toEqual([
      'wallet-tokens',
      'wallet-nfts',
      'native-stake',
      'jupiter-exchange',
      'jupiter-governance',
      'jupiter-jupuary',
      'jito',
      'raydium',
      'orca',
      'meteora',
      'saber',
      'jupiter-pm',
    ]);
  });
});

describe('POSITION_FETCHERS', () => {
  it('has each id once, in the order in which clients have seen the reports from the beginning', () => {
    expect(POSITION_FETCHERS.map(({ id }) => id)).toEqual([
      'wallet-tokens-solana',
      'wallet-tokens-solana-native',
      'wallet-nfts-solana',
      'native-stake-solana',
      'jupiter-governance-vote',
      'jupiter-exchange-lock',
      'jupiter-exchange-limit',
      'jupiter-exchange-limit-v1',
      'jupiter-exchange-dca',
      'jupiter-exchange-value-average',
      'jupiter-exchange-perpetual',
      'jupiter-exchange-perpetual-borrow',
      'jupiter-jupuary-airdrops',
      'raydium-cpmm',
      'orca-whirlpools',
      'meteora-cpamm-positions',
      'saber-pools',
      'jupiter-exchange-lend-earn',
      'jupiter-exchange-lend-vaults',
      'jupiter-exchange-send',
      'jupiter-exchange-studio',
    ]);
  });
});

const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const programs = PROTOCOLS.flatMap((protocol) => protocol.programs ?? []);
