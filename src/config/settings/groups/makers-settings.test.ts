import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAKERS_SETTINGS, findMakersContradictions, toMakersConfig } from './makers-settings.ts';

describe('toMakersConfig and findMakersContradictions', () => {
  it('serve plaintext on loopback without the breaker by default', () => {
    expect(toMakersConfig(DEFAULTS, '/home')).toMatchObject({
      host: '127.0.0.1',
      port: 50_051,
      tls: null,
      breaker: {
        enabled: false,
        windowMs: 3_600_000,
        minimumSwaps: 10,
        thresholdPercent: 50,
        suspensionMs: 600_000,
      },
    });
    expect(toMakersConfig({ ...DEFAULTS, ...TLS }, '/home').tls).toEqual({
      certificate: resolve('/home', 'cert.pem'),
      key: resolve('/home', 'key.pem'),
    });
  });

  it.each([
    [{}, null],
    [TLS, null],
    [{ 'grpc-host': '::1' }, null],
    [{ 'grpc-host': '0.0.0.0', ...TLS }, null],
    [{ 'grpc-host': '0.0.0.0', 'grpc-plaintext': true }, null],
    [
      { 'grpc-host': '0.0.0.0' },
      'grpc-host from flag --grpc-host is "0.0.0.0", but an address beyond this machine requires',
    ],
    [{ 'grpc-tls-cert': 'cert.pem' }, 'but must be the path of a file, given together with grpc-tls-key'],
    [{ 'grpc-tls-key': 'key.pem' }, 'but must be the path of a file, given together with grpc-tls-cert'],
  ])('given %j report: %s', (given, problem) => {
    const problems = findMakersContradictions({ ...DEFAULTS, ...given }, SOURCES);
    expect(problems).toEqual(problem === null ? [] : [expect.stringContaining(problem)]);
  });
});

const DEFAULTS = Object.fromEntries(
  Object.entries(MAKERS_SETTINGS).map(([name, one]) => [
    name,
    'default' in one.schema ? one.schema.default : null,
  ]),
) as Parameters<typeof toMakersConfig>[0];
const SOURCES = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, `flag --${name}`]));
const TLS = { 'grpc-tls-cert': 'cert.pem', 'grpc-tls-key': 'key.pem' };
