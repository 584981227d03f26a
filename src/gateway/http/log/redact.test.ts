import { describe, expect, it } from 'vitest';
import { createAdminToken } from '../../../platform/credentials/admin-token.ts';
import { createApiKey } from '../../../platform/credentials/api-key.ts';
import { redactPath, redactQuery, redactText } from './redact.ts';

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

it.each([
  ['/swap/v2/build', '/swap/v2/build'],
  ['/swap/v2/build?key=a?b', '/swap/v2/build'],
  [`/tx/${SIGNATURE}`, `/tx/${SIGNATURE}`],
  [`/${createApiKey('jup_')}/swap`, '/jup_[redacted]/swap'],
  [`/x/${createAdminToken('member').toUpperCase()}`, '/x/SLUICE_MEMBER_[redacted]'],
  [`/x/eyJ${'a'.repeat(33)}.eyJ${'b'.repeat(60)}.${'c'.repeat(43)}/y`, '/x/[redacted]/y'],
  [`/${createAdminToken('operator')}${createApiKey('jup_')}`, '/sluice_operator_[redacted]jup_[redacted]'],
  ['/\x9b31m\x1b]0;x\x07\u202e/\ud800 é', '/%9B31m%1B]0;x%07%E2%80%AE/%EF%BF%BD%20%E9'],
])('shows %j as %j', (url, shown) => {
  expect(redactPath(url)).toBe(shown);
});

const HEX_KEY = `jup_${'0a'.repeat(32)}`;
const KEYPAIR = 'z'.repeat(88);

it.each([
  ['/a', ''],
  ['/a?', ''],
  ['/a?x=1&y=&z', 'x=1&y=&z'],
  [
    '/a?api-key=s&apiKey=s&X-API-KEY=s&key=s',
    'api-key=[redacted]&apiKey=[redacted]&X-API-KEY=[redacted]&key=[redacted]',
  ],
  [
    '/a?%61pi_key=s&access_token=s&client_secret=s',
    '%61pi_key=[redacted]&access_token=[redacted]&client_secret=[redacted]',
  ],
  ['/a?vsToken=So111&restrictIntermediateTokens=true', 'vsToken=So111&restrictIntermediateTokens=true'],
  [`/a?x=${HEX_KEY}&y=1`, 'x=jup_[redacted]&y=1'],
  [`/a?${HEX_KEY}`, 'jup_[redacted]'],
  [`/a?x=${KEYPAIR}`, 'x=[redacted]'],
  ['/a?x=eyJhbGciOi.eyJzdWIi.c2ln', 'x=[redacted]'],
  [`/a?taker=${'1'.repeat(44)}`, `taker=${'1'.repeat(44)}`],
  ['/a?x=\u009b2J&%=1', 'x=%9B2J&%=1'],
  [`/a?x=${'-'.repeat(600)}${HEX_KEY}`, `x=${'-'.repeat(510)}`],
  [`/a?x=${'-'.repeat(500)}${HEX_KEY}`, `x=${'-'.repeat(500)}jup_[redac`],
])('the query of %s is stored as %s', (url, shown) => {
  expect(redactQuery(url)).toBe(shown);
});

it.each([
  [undefined, ''],
  ['curl/8.5.0 (x86)', 'curl/8.5.0 (x86)'],
  ['a\u001b[2Jb', 'a%1B[2Jb'],
  [`key ${HEX_KEY}`, 'key jup_[redacted]'],
  ['x'.repeat(70), 'x'.repeat(40)],
])('a header of %s is stored as %s', (value, shown) => {
  expect(redactText(value, 40)).toBe(shown);
});

describe('a key that is cut off', () => {
  it('is not stored with a query that redaction has shortened', () => {
    expect(redactQuery(`/a?key=${'s'.repeat(950)}&x=${HEX_KEY}`)).toBe('key=[redacted]&x=[redacted]');
    expect(redactQuery(`/a?key=${'s'.repeat(1_016)}&${HEX_KEY}`)).toBe('key=[redacted]&[redacted]');
  });

  it('is not stored with a header that redaction has shortened', () => {
    expect(redactText(`${before}${HEX_KEY}`, 256)).toBe(`${'[redacted] '.repeat(15)}[redacted]`);
  });

  const before = `${'9'.repeat(64)} `.repeat(15);
});

describe('a secret with percent-encoded characters', () => {
  const encoded = (text: string) => text.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`);
  const everywhere = (text: string) => text.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);

  it.each([
    [`/a?x=jup_${encoded('0a'.repeat(32))}&y=%41`, 'x=jup_[redacted]&y=%41'],
    [`/a?x=${everywhere('0a'.repeat(32))}`, 'x=[redacted]'],
    [`/a?x=${encoded(KEYPAIR)}`, 'x=[redacted]'],
    ['/a?x=%65yJhbGciOi%2EeyJzdWIi.c2ln', 'x=[redacted]'],
    [`/a?x=%2561${'b'.repeat(63)}`, 'x=[redacted]'],
    ['/a?mints=So11%2CEPjF&x=%61%2', 'mints=So11%2CEPjF&x=%61%2'],
  ])('is not stored with the query of %j', (url, shown) => {
    expect(redactQuery(url)).toBe(shown);
  });

  it('is not stored with a path or a header', () => {
    expect(redactPath(`/jup_${encoded('0a'.repeat(32))}/x`)).toBe('/jup_[redacted]/x');
    expect(redactPath('/tokens/%61%2F')).toBe('/tokens/%61%2F');
    expect(redactText(`https://a.example/?x=${everywhere('0a'.repeat(32))}`, 512)).toBe(
      'https://a.example/?x=[redacted]',
    );
  });
});
