import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../src/testing/random.ts';
import { JsonLineParser } from './json-lines.ts';
import { ServerSentEventParser } from './server-sent-events.ts';

describe('ServerSentEventParser', () => {
  it('reads types, ids, data of several lines, and ignores comments and fields that it does not know', () => {
    const text = ': open\n\nevent: prices\nid: 7\ndata: {"a":\ndata:1}\nretry: 9\n\ndata\n\nevent: none\n\n';
    expect(new ServerSentEventParser().read(text)).toEqual([
      { type: 'prices', data: '{"a":\n1}', id: '7' },
      { type: 'message', data: '', id: '7' },
    ]);
  });

  it('leaves out an event whose end never arrives', () => {
    expect(new ServerSentEventParser().read('data: 1\n\ndata: 2\n')).toHaveLength(1);
  });

  it('returns the same events however the stream is cut, with any line break', () => {
    assertProperty(
      fc.property(STREAM, fc.array(fc.nat(9)), (text, cuts) => {
        const whole = new ServerSentEventParser().read(text);
        const parser = new ServerSentEventParser();
        expect(cut(text, cuts).flatMap((piece) => parser.read(piece))).toEqual(whole);
      }),
      { cases: 2_000, seed: 4404 },
    );
  });

  it('returns the data of each event whatever it holds', () => {
    assertProperty(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom('\n', '\r\n', '\r'), (values, end) => {
        const text = values.map((value) => `data: ${JSON.stringify(value)}${end}${end}`).join('');
        const events = new ServerSentEventParser().read(text);
        expect(events.map(({ data }) => data)).toEqual(values.map((value) => JSON.stringify(value)));
      }),
      { cases: 100, seed: 4405 },
    );
  });
});

describe('JsonLineParser', () => {
  it('returns the same lines however the stream is cut', () => {
    assertProperty(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat(9)), fc.boolean(), (values, cuts, isEnded) => {
        const lines = values.map((value) => JSON.stringify(value));
        const text = lines.join('\n') + (isEnded ? '\r\n\n' : '');
        const parser = new JsonLineParser();
        const read = cut(text, cuts).flatMap((piece) => parser.read(piece));
        expect([...read, ...parser.end()]).toEqual(lines);
      }),
      { cases: 100, seed: 4406 },
    );
  });
});

const STREAM = fc
  .array(
    fc.constantFrom(
      ...[
        '\n',
        '\r',
        '\r\n',
        '\n\n',
        ':',
        ' ',
        'data: ',
        'data:',
        'event: ',
        'id: ',
        'x',
        '\uFEFF',
        '{"a":1}',
      ],
    ),
  )
  .map((parts) => parts.join(''));

/** Cuts a text into pieces of the given lengths; the last piece is the rest. */
function cut(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return [...pieces, text.slice(at)];
}
