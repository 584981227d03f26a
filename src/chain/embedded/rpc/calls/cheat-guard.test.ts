import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { refuseCheating } from './cheat-guard.ts';

describe('refuseCheating', () => {
  it.each(['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1'])('lets a program at %s call', (address) => {
    expect(refuseCheating(requestFrom(address))).toBeNull();
  });

  it.each([
    '10.0.0.2',
    '::ffff:10.0.0.2',
    '172.17.0.1',
    '126.0.0.1',
    '1.127.0.0.1',
    'fe80::1',
    '::',
    '::1:127.0.0.1',
    '::ffff:7f00:1%eth0',
    '0.0.0.0',
    '',
    undefined,
  ])('refuses a program at %s, whatever host it names', (address) => {
    for (const host of [HOST, 'localhost', '[::1]:8899']) {
      expect(refuseCheating(requestFrom(address, { host }))).toBe('remote');
    }
  });

  it.each([{}, { host: '' }, { host: ':8899' }, { host: 'localhost:8899:1' }, { host: 'localhost.' }])(
    'refuses a request over loopback with %j',
    (headers) => {
      expect(refuseCheating(requestFrom('127.0.0.1', headers as Record<string, string>))).toBe('host');
    },
  );
});

const HOST = '127.0.0.1:8899';

/** Only the headers and the address of a request are looked at. */
function requestFrom(remoteAddress: string | undefined, headers: Record<string, string> = { host: HOST }) {
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}
