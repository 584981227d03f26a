import { describe, expect, it } from 'vitest';
import { METEORA_DBC_PROGRAM } from '../../../protocols/meteora-dbc/program/program.ts';
import { LAUNCH_SETTINGS, toLaunchConfig } from './launch-settings.ts';

describe('toLaunchConfig', () => {
  it('pays for no launches over an outside RPC by default, and for those of the configurations that are named', () => {
    const settings = { 'graduate-config': [], 'graduation-lamports-per-day': 2_000_000_000 };
    expect(toLaunchConfig(settings, '/')).toEqual({ graduatedConfigs: [], lamportsPerDay: 2_000_000_000n });
    const named = { ...settings, 'graduate-config': [METEORA_DBC_PROGRAM] };
    expect(toLaunchConfig(named, '/').graduatedConfigs).toEqual([METEORA_DBC_PROGRAM]);
  });

  it('takes addresses only', () => {
    const { accepts } = LAUNCH_SETTINGS['graduate-config'];
    expect([accepts?.(METEORA_DBC_PROGRAM), accepts?.('a partner')]).toEqual([true, false]);
  });
});
