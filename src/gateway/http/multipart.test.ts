import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type BodyUnreadable, parseMultipart } from './multipart.ts';

describe('parseMultipart', () => {
  it('reads fields and files in any order, and keeps the bytes of files', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 128]);
    const body = form([
      ['headerImage"; filename="../../x.png', bytes, 'image/png'],
      ['owner', 'Wallet é'],
      ['content', ''],
    ]);
    const { fields, files } = await parse(body);
    expect(Object.fromEntries(fields)).toEqual({ owner: 'Wallet é', content: '' });
    expect(Object.fromEntries(files)).toEqual({ headerImage: { contentType: 'image/png', bytes } });
  });

  it('reads what the client of the platform sends', async () => {
    const sent = new FormData();
    sent.append('transaction', 'AQID');
    sent.append('headerImage', new Blob(['x'], { type: 'image/gif' }), 'a.gif');
    const request = new Request('http://127.0.0.1/', { method: 'POST', body: sent });
    const body = Buffer.from(await request.arrayBuffer());
    const { fields, files } = await parseMultipart(request.headers.get('content-type') ?? '', body, 100);
    expect(fields.get('transaction')).toBe('AQID');
    expect(files.get('headerImage')).toEqual({ contentType: 'image/gif', bytes: Buffer.from('x') });
  });

  it.each([
    [
      'a name twice',
      form([
        ['owner', 'a'],
        ['owner', 'b'],
      ]),
      /each name once/,
    ],
    ['a long field', form([['owner', 'a'.repeat(101)]]), /"owner" must have at most 100 bytes/],
    ['U+0000', form([['owner', 'a\0']]), /must not contain the character U\+0000/],
    ['many parts', form(Array.from({ length: 33 }, (_, index) => [`f${index}`, ''])), /at most 32 parts/],
    ['a part for each line', Buffer.from('--edge\r\n'.repeat(600_000)), /at most 32 parts/],
    ['no end', form([['owner', 'a']]).subarray(0, -6), /not a complete form/],
    ['no form', Buffer.from('owner=a'), /not a complete form/],
    ['nothing', Buffer.alloc(0), /not a complete form/],
  ])('refuses %s', async (_what, body, message) => {
    expect((await refusalOf(body)).message).toMatch(message);
  });

  it('refuses a type without a boundary', async () => {
    await expect(parseMultipart('multipart/form-data', form([]), 100)).rejects.toThrow(
      'must name the boundary',
    );
  });

  it('comes to an end wherever a form is cut', async () => {
    const body = form([
      ['owner', 'a'],
      ['headerImage"; filename="x.png', Buffer.from('png'), 'image/png'],
    ]);
    const end = body.lastIndexOf('--');
    for (let length = 0; length < end; length++)
      expect((await refusalOf(body.subarray(0, length))).name, String(length)).toBe('BodyUnreadable');
  });
});

describe('parseMultipart on random bytes', () => {
  it('reads a form or refuses it, and nothing else', async () => {
    const tokens = [
      '--edge',
      '--edge--',
      '\r\n',
      '\n',
      '\r\n\r\n',
      ': ',
      'content-disposition',
      'form-data',
      ';',
    ]
      .concat([
        'name="a"',
        'name=',
        'filename="b"',
        "filename*=utf-8''%ff",
        'content-type',
        'application/octet-stream',
      ])
      .concat(['content-transfer-encoding: base64', '"', 'a', '\0', 'charset=utf-16', 'multipart/mixed']);
    const piece = fc.oneof(
      fc.constantFrom(...tokens).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }),
    );
    const whole = form([
      ['owner', 'a'],
      ['headerImage"; filename="x.png', 'png', 'image/png'],
      ['content', 'b'],
    ]);
    const cut = fc.nat(whole.length);
    await assertProperty(
      fc.asyncProperty(cut, cut, fc.array(piece, { maxLength: 12 }), async (from, to, pieces) => {
        const body = Buffer.concat([whole.subarray(0, from), ...pieces, whole.subarray(to)]);
        const outcome = await parse(body).then(
          () => 'read',
          (error: Error) => error.name,
        );
        expect(['read', 'BodyUnreadable']).toContain(outcome);
      }),
      { cases: 3_000, seed: 41 },
    );
  });
});

type Part = readonly [name: string, value: string | Buffer, type?: string];

function form(parts: readonly Part[]): Buffer {
  const written = parts.flatMap(([name, value, type]) => [
    `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n`,
    `${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`,
    value,
    '\r\n',
  ]);
  return Buffer.concat([...written, '--edge--\r\n'].map((each) => Buffer.from(each as string)));
}

const parse = (body: Buffer) => parseMultipart('multipart/form-data; boundary=edge', body, 100);

async function refusalOf(body: Buffer): Promise<BodyUnreadable> {
  return parse(body).then(
    () => expect.fail('the form was read'),
    (error: BodyUnreadable) => error,
  );
}
