import { describe, expect, it } from 'vitest';
import { LaunchKeys } from './launch-keys.ts';

describe('LaunchKeys', () => {
  it('recognise the launches of every instance with the same secret', () => {
    const { mint, config } = createKeys(1).create();
    const launch = { mint: mint.address, config: config.address };
    expect(createKeys(1).isStudioLaunch(launch)).toBe(true);
    expect(createKeys(2).isStudioLaunch(launch)).toBe(false);
  });

  it('do not take the configuration of one launch for that of another', () => {
    const keys = createKeys(1);
    const [first, second] = [keys.create(), keys.create()];
    expect(first.mint.address).not.toBe(second.mint.address);
    expect(keys.isStudioLaunch({ mint: second.mint.address, config: first.config.address })).toBe(false);
    expect(keys.isStudioLaunch({ mint: first.mint.address, config: first.mint.address })).toBe(false);
  });
});

function createKeys(byte: number): LaunchKeys {
  return new LaunchKeys(new Uint8Array(32).fill(byte));
}
