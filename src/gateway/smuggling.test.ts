import { afterEach, describe, expect, it } from 'vitest';
import type { KnownKey } from '../platform/callers/key-cache.ts';
import {
  GUARDED,
  GuardedGateway,
  KEY,
  KEYLESS_LIMIT,
  REFUSED,
  parseStatuses,
  parseFirstStatus,
} from '../testing/gateway/guarded-gateway.ts';

let gateway: GuardedGateway | null = null;
afterEach(tearDown);

describe('requests that two readers would split at different places', () => {
  it.each([
    ['both lengths', post(`content-length: ${chunked.length}\r\ntransfer-encoding: chunked`, chunked)],
    ['both lengths the other way round', post('transfer-encoding: chunked\r\ncontent-length: 4', chunked)],
    ['two lengths', post(`content-length: 0\r\ncontent-length: ${inner.length}`, inner)],
    ['a list of lengths', post(`content-length: 0, ${inner.length}`, inner)],
    ['a signed length', post('content-length: +0', inner)],
    ['a length in hex', post('content-length: 0x0', inner)],
    ['a negative length', post('content-length: -1', inner)],
    ['an unknown coding', post('transfer-encoding: xchunked', chunked)],
    ['a coding twice', post('transfer-encoding: chunked\r\ntransfer-encoding: identity', chunked)],
    ['chunked not last', post('transfer-encoding: chunked, identity', chunked)],
    ['a space before the colon', post('transfer-encoding : chunked', chunked)],
    ['a folded header', post('transfer-encoding:\r\n chunked', chunked)],
    ['a chunk size that is none', post('transfer-encoding: chunked', `0x0\r\n\r\n${inner}`)],
    ['a chunk that ends without CR', post('transfer-encoding: chunked', `1\nA\n0\n\n${inner}`)],
    ['a bare CR in a header', post('x: a\rcontent-length: 0', inner)],
    ['a NUL in a header', post('x: a\0b', inner)],
    ['no host', `GET ${GUARDED} HTTP/1.1\r\n\r\n`],
    ['two hosts', `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n`],
    ['an unknown version', `GET ${GUARDED} HTTP/1.9\r\nhost: a\r\n\r\n`],
    ['spaces in the path', `GET ${GUARDED} /x HTTP/1.1\r\nhost: a\r\n\r\n`],
  ])('are refused, and nothing after them is handled: %s', async (_what, bytes) => {
    const target = await open(null);
    const text = await target.send(bytes);
    expect(target.handled).toBe(0);
    const statuses = parseStatuses(text);
    expect([400, 404, 405, 505]).toContain(statuses[0]);
    // A head may be answered before the invalid bytes arrive; then the rest is refused, and the connection ends.
    expect([[], [400]]).toContainEqual(statuses.slice(1));
  });
});

describe('bytes that two readers would interpret differently', () => {
  it.each([
    ['a coding after a vertical tab', post('transfer-encoding: \x0bchunked', chunked)],
    ['a coding in quotes', post('transfer-encoding: "chunked"', chunked)],
    ['a coding with a parameter', post('transfer-encoding: chunked;q=1', chunked)],
    ['a coding twice in one header', post('transfer-encoding: chunked, chunked', chunked)],
    ['an empty coding', post('transfer-encoding:', chunked)],
    ['a length that is folded', post('content-length: 0\r\n 40', inner)],
    ['an empty length', post('content-length:', inner)],
    ['a length with a space inside', post('content-length: 0 0', inner)],
    ['a length beyond all numbers', post('content-length: 99999999999999999999', inner)],
    ['a length with a fraction', post('content-length: 0.0', inner)],
    ['both lengths, one with another case', post('Content-Length: 4\r\nTRANSFER-ENCODING: chunked', chunked)],
    [
      'a chunk that is larger than all numbers',
      post('transfer-encoding: chunked', `fffffffffffffffff\r\n${inner}`),
    ],
    ['a chunk of a negative size', post('transfer-encoding: chunked', `-1\r\n${inner}`)],
    ['a chunk of no size', post('transfer-encoding: chunked', `\r\n${inner}`)],
    ['a chunk that is longer than it says', post('transfer-encoding: chunked', `1\r\nAAAA\r\n${chunked}`)],
    ['an extension with a line end', post('transfer-encoding: chunked', `0;a=\n\r\n\r\n${inner}`)],
    ['lines that end without CR', `GET /price/v3 HTTP/1.1\nhost: a\n\n${inner}`],
    ['lines that end without LF', `GET /price/v3 HTTP/1.1\rhost: a\r\r${inner}`],
    ['a header without a colon', `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\nx-api-key\r\n\r\n`],
    ['a header whose name has a space', `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\nx api key: b\r\n\r\n`],
    ['a header whose name has a control character', `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\nx\x01: b\r\n\r\n`],
    ['a first header that is folded', `GET ${GUARDED} HTTP/1.1\r\n folded: a\r\nhost: a\r\n\r\n`],
    ['no version', `GET ${GUARDED}\r\n\r\n`],
    ['a method in small letters', `get ${GUARDED} HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['a method that nobody knows', `GETT ${GUARDED} HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['a tunnel', `CONNECT ${GUARDED} HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['a NUL in the path', `GET ${GUARDED}\0 HTTP/1.1\r\nhost: a\r\n\r\n`],
    ['a tab before the version', `GET ${GUARDED}\tHTTP/1.1\r\nhost: a\r\n\r\n`],
    ['the beginning of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${inner}`],
    [
      'more headers than anybody needs',
      `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\n${'x: y\r\n'.repeat(5_000)}\r\n`,
    ],
  ])('are refused, and nothing in them is handled: %s', async (_what, bytes) => {
    const target = await open(null);
    const text = await target.send(bytes);
    expect(target.handled).toBe(0);
    const statuses = parseStatuses(text);
    // A tunnel is closed without an answer; a head may be answered before the invalid bytes arrive.
    for (const status of statuses.slice(0, 1)) expect(REFUSED).toContain(status);
    expect([[], [400]]).toContainEqual(statuses.slice(1));
  });

  it('are checked one by one if they are several whole requests', async () => {
    const target = await open({ limits: { main: 2, execute: 2, submit: 2 } });
    const one = (header: string) => `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\n${header}\r\n`;
    const last = one('x-api-key: unknown\r\nconnection: close\r\n');
    const key = one(`x-api-key: ${KEY}\r\n`);
    const text = await target.converse(one('x-api-key: unknown\r\n') + key + one('') + key + key + last);
    expect(parseStatuses(text)).toEqual([401, 200, 200, 200, 429, 401]);
    expect(target.handled).toBe(3);
  });

  it('do not count as headers when they come after the body', async () => {
    const target = await open({});
    const request = `POST ${GUARDED} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntrailer: x-api-key\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n2\r\n{}\r\n0\r\nx-api-key: ${KEY}\r\nx-forwarded-for: *\r\n\r\n`;
    const statuses: number[] = [];
    for (let index = 0; index <= KEYLESS_LIMIT; index++)
      statuses.push(parseFirstStatus(await target.send(request)));
    expect(statuses.slice(KEYLESS_LIMIT - 1)).toEqual([200, 429]);
  });

  it.each(['', ' ', '\t', '  \t '])(
    'a key of %j counts as none, and its requests are counted by address',
    async (key) => {
      const target = await open({});
      const statuses: number[] = [];
      for (let index = 0; index <= KEYLESS_LIMIT; index++) {
        statuses.push(parseFirstStatus(await target.get(GUARDED, `x-api-key:${key}\r\nconnection: close`)));
      }
      expect(statuses.slice(KEYLESS_LIMIT - 1)).toEqual([200, 429]);
    },
  );
});

async function tearDown(): Promise<void> {
  await gateway?.close();
  gateway = null;
}

async function open(known: Partial<KnownKey> | null): Promise<GuardedGateway> {
  gateway = await GuardedGateway.open(known, {});
  return gateway;
}

const inner = `GET ${GUARDED} HTTP/1.1\r\nhost: a\r\n\r\n`;
const chunked = `0\r\n\r\n${inner}`;
const post = (headers: string, body: string) =>
  `POST /price/v3 HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`;
