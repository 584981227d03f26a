import { describe, expect, it } from 'vitest';
import { readSelfCalledEvent } from './self-called-event.ts';

describe('readSelfCalledEvent', () => {
  const marker = 'e445a52e51cb9a1d';

  it('reads the discriminator, and stands at the first field behind it', () => {
    const event = readSelfCalledEvent(Buffer.from(`${marker}0102030405060708ff00`, 'hex'), 'event');
    expect(event?.tag).toBe('0102030405060708');
    expect(event?.fields.u16()).toBe(0xff);
    expect(() => event?.fields.u8()).toThrow('not a valid event');
  });

  it.each(['', marker, `${marker}01020304050607`, `e445a52e51cb9a1c${'00'.repeat(8)}`])(
    'returns null for the data %j of another call',
    (hex) => {
      expect(readSelfCalledEvent(Buffer.from(hex, 'hex'), 'event')).toBeNull();
    },
  );
});
