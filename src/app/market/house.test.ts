import { describe, expect, it } from 'vitest';
import { HOUSE_SETTINGS, toHouseConfig } from '../../config/settings/groups/house-settings.ts';
import { getDefault } from '../../config/settings/kinds/setting.ts';
import { deriveGenesisKeys } from '../../protocol/genesis/keys.ts';
import type { Sponsor } from '../../transactions/sponsor/sponsor.ts';
import { openHouse } from './house.ts';

describe('house fees', () => {
  it('are off by default', () => {
    expect(getDefault(HOUSE_SETTINGS['house-fees'])).toBe(false);
    expect(openHouse(toHouseConfig({ ...ON, 'house-fees': false }), SPONSOR, noLaunch)).toBeNull();
  });

  it('go to the wallet that is named, and otherwise to the sponsor', () => {
    const named = { ...ON, 'house-fee-wallet': feeOwner.address };
    expect(openHouse(toHouseConfig(named), SPONSOR, noLaunch)).toMatchObject({ wallet: feeOwner.address });
    expect(openHouse(toHouseConfig(named), null, noLaunch)).toMatchObject({ wallet: feeOwner.address });
    expect(openHouse(toHouseConfig(ON), SPONSOR, noLaunch)).toMatchObject({ wallet: sponsor.address });
  });

  it('refuse the start without an account that collects them', () => {
    expect(() => openHouse(toHouseConfig(ON), null, noLaunch)).toThrow(
      /^house-fees is true, but nobody collects the fees/,
    );
  });

  it('take the address of a wallet only', () => {
    const { accepts } = HOUSE_SETTINGS['house-fee-wallet'];
    expect([accepts(''), accepts(feeOwner.address), accepts('house')]).toEqual([true, true, false]);
  });
});

const { sponsor, feeOwner } = deriveGenesisKeys('house');
const noLaunch = () => null;
const SPONSOR = { keypair: sponsor } as Sponsor;
const ON = { 'house-fees': true, 'house-fee-wallet': '' };
