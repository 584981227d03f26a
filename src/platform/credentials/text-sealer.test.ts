import { describe, expect, it } from 'vitest';
import { createTextSealer } from './text-sealer.ts';

describe('createTextSealer', () => {
  it('opens what it has sealed, which shows nothing of the text and is another one each time', () => {
    for (const text of ['', 'key', 'x'.repeat(200)]) {
      const sealed = SEALER.seal(text, 'webhook acme');
      expect(SEALER.open(sealed, 'webhook acme')).toBe(text);
      expect(SEALER.seal(text, 'webhook acme')).not.toBe(sealed);
      if (text !== '') expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain(text);
    }
  });

  it('throws for another secret, another purpose, and a text of which any byte was changed', () => {
    const sealed = SEALER.seal('key', 'webhook acme');
    expect(() => createTextSealer('t'.repeat(64)).open(sealed, 'webhook acme')).toThrow();
    expect(() => SEALER.open(sealed, 'webhook other')).toThrow();
    expect(() => SEALER.open('', 'webhook acme')).toThrow('too short');
    const bytes = Buffer.from(sealed, 'base64');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => SEALER.open(changed.toString('base64'), 'webhook acme'), String(at)).toThrow();
    }
  });
});

const SEALER = createTextSealer('s'.repeat(64));
