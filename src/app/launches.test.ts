import { describe, expect, it } from 'vitest';
import { numbered } from '../testing/test-tokens.ts';
import { joinPaidLaunches } from './launches.ts';

const [CONFIG, OTHER, MINT, OTHER_MINT] = [numbered(1), numbered(2), numbered(3), numbered(4)];

describe('joinPaidLaunches', () => {
  it('pays for all launches of the own network', () => {
    const paysFor = joinPaidLaunches({ isOwnNetwork: true, graduatedConfigs: [], isOwnLaunch: null });
    expect(paysFor?.({ config: OTHER, mint: MINT })).toBe(true);
  });

  it('pays over an outside RPC for named configurations, and for launches of its own products', () => {
    const isOwnLaunch = ({ mint }: { readonly mint: string }) => mint === MINT;
    const paysFor = joinPaidLaunches({ isOwnNetwork: false, graduatedConfigs: [CONFIG], isOwnLaunch });
    expect(paysFor?.({ config: CONFIG, mint: OTHER_MINT })).toBe(true);
    expect(paysFor?.({ config: OTHER, mint: MINT })).toBe(true);
    expect(paysFor?.({ config: OTHER, mint: OTHER_MINT })).toBe(false);
  });

  it('pays for named configurations alone if no product launches tokens', () => {
    const named = joinPaidLaunches({ isOwnNetwork: false, graduatedConfigs: [CONFIG], isOwnLaunch: null });
    expect([CONFIG, OTHER].map((config) => named?.({ config, mint: MINT }))).toEqual([true, false]);
  });

  it('is null if the operator pays for no launch', () => {
    const nothing = { isOwnNetwork: false, graduatedConfigs: [], isOwnLaunch: null };
    expect(joinPaidLaunches(nothing)).toBeNull();
  });
});
