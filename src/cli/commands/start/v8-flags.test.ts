import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('the flags of V8 that a start sets', () => {
  // V8 ignores a flag that it does not know.
  it.each(['--wasm-tiering-budget', '--allocation-site-pretenuring'])('knows %s in this version', (flag) => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    expect(options.split(/\s+/)).toContain(flag);
  });
});
