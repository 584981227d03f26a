import { describe, expect, it } from 'vitest';
import { toFields } from './fields.ts';
import { file, whole } from './kinds.ts';
import { setField } from './setting.ts';

describe('toFields', () => {
  it('converts each value for the field that its setting declares', () => {
    const values = { 'slot-ms': 50, 'tls-cert': 'cert.pem', 'tls-key': 'key.pem', 'window-s': 7 };
    const fields: { readonly slotMs: number; readonly tlsCert: string | null; readonly windowMs: number } =
      toFields(TABLE, values, '/home');
    expect(fields).toEqual({ slotMs: 50, tlsCert: '/home/cert.pem', windowMs: 7_000 });
    expect(toFields(TABLE, { ...values, 'tls-cert': '' }, '/home').tlsCert).toBeNull();
  });
});

const TABLE = {
  'slot-ms': whole(400, 10, 60_000, 'Milliseconds between two slots.'),
  'tls-cert': file('A certificate.'),
  'tls-key': setField(null, file('A key.')),
  'window-s': setField('windowMs', whole(60, 1, 100, 'Seconds.'), (seconds) => seconds * 1_000),
};
