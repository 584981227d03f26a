import { describe, expect, it } from 'vitest';
import { openForAll } from '../../../testing/opened.ts';
import { LaunchDesk } from '../../../testing/products/launch-desk.ts';
import { MEME_BODY } from '../../../testing/studio/meme-body.ts';

const desk = openForAll(() => LaunchDesk.open(), 'close');

describe('create-tx', () => {
  it('answers the transaction, the mint and where its files go', async () => {
    const { status, json } = await desk.create();
    expect(status).toBe(200);
    const { transaction, mint, imagePresignedUrl, metadataPresignedUrl, imageUrl, ...rest } = json;
    expect(rest).toEqual({});
    expect(transaction).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(imageUrl).toMatch(new RegExp(`/images/${mint}$`));
    expect(imagePresignedUrl).toContain(`/images/${mint}?`);
    expect(metadataPresignedUrl).toContain(`/metadata/${mint}.json?`);
  });

  it.each([
    ['null in place of what is left out', { fee: { feeBps: 200, totalDuration: null, baseFeeMode: null } }],
    ['no fee', { fee: null, isLpLocked: null }],
    ['a fee that falls', { fee: { feeBps: 100, totalDuration: 300, baseFeeMode: 'exponential' } }],
    ['protection from bots', { antiSniping: true, fee: { feeBps: 100, baseFeeMode: 'exponential' } }],
  ])('takes %s', async (_, changes) => {
    expect((await desk.create(changes)).status).toBe(200);
  });

  it.each([
    [
      'another fee',
      { fee: { feeBps: 150 } },
      { 'fee.feeBps': ['fee.feeBps must be one of 100, 200, got 150'] },
    ],
    ['no creator', { creator: undefined }, { creator: ['creator is missing'] }],
    [
      'a creator that is none',
      { creator: 'me' },
      { creator: ['creator must be an address: 32 bytes in base58, got "me"'] },
    ],
    ['an empty name', { tokenName: '' }, { tokenName: ['tokenName must have at least 1 character, got ""'] }],
    [
      'an image that may hold scripts',
      { tokenImageContentType: 'image/svg+xml' },
      {
        tokenImageContentType: [
          'tokenImageContentType must be one of image/jpeg, image/png, image/gif, image/webp, got "image/svg+xml"',
        ],
      },
    ],
    [
      'a curve without vesting and with a text',
      {
        buildCurveByMarketCapParam: {
          ...MEME_BODY.buildCurveByMarketCapParam,
          lockedVestingParam: undefined,
          initialMarketCap: '16000',
        },
      },
      {
        'buildCurveByMarketCapParam.lockedVestingParam': [
          'buildCurveByMarketCapParam.lockedVestingParam is missing',
        ],
        'buildCurveByMarketCapParam.initialMarketCap': [
          'buildCurveByMarketCapParam.initialMarketCap must be of the type number, got "16000"',
        ],
      },
    ],
    [
      'the decimals of another token',
      {
        buildCurveByMarketCapParam: { ...MEME_BODY.buildCurveByMarketCapParam, tokenQuoteDecimal: 9 },
      },
      {
        'buildCurveByMarketCapParam.tokenQuoteDecimal': [
          'buildCurveByMarketCapParam.tokenQuoteDecimal must be 6, the decimals of USDC, got 9',
        ],
      },
    ],
  ])('says what is wrong with %s', async (_, changes, errors) => {
    expect(await desk.create(changes)).toEqual({ status: 400, json: { errors } });
  });
});

describe('submit', () => {
  it('launches a token, whatever the order of the fields, and gives it a page', async () => {
    const { mint, transaction, owner } = await desk.prepare();
    const configKey = desk.submissions.rig.keys.deriveConfigAddress(mint as never);
    const form = { headerImage: PNG, content: 'Why? <b>', owner, extra: 'ignored', transaction };
    expect(await desk.submit(form)).toEqual({
      status: 200,
      json: { success: true, data: { mint, configKey } },
    });
    expect(await desk.page(mint)).toEqual({
      status: 200,
      json: {
        mint,
        configKey,
        owner,
        content: 'Why? <b>',
        headerImage: expect.stringContaining(`/headers/${mint}`),
      },
    });
  });

  it('takes a form with empty fields for what was not filled in', async () => {
    const { mint, transaction, owner } = await desk.prepare();
    expect((await desk.submit({ transaction, owner, content: '', headerImage: new Blob([]) })).status).toBe(
      200,
    );
    expect((await desk.page(mint)).json).toMatchObject({ content: null, headerImage: null });
  });

  it.each([
    ['no fields', {}, { transaction: ['transaction is missing'] }],
    ['no owner', { transaction: 'AAAA' }, { owner: ['owner is missing'] }],
    [
      'an owner that is none',
      { transaction: 'AAAA', owner: 'me' },
      { owner: ['owner must be an address: 32 bytes in base58, got "me"'] },
    ],
    [
      'a transaction as a file',
      { transaction: new Blob(['AAAA']) },
      { transaction: ['transaction must be a text, got a file'] },
    ],
    [
      'a header image as a text',
      { transaction: 'AAAA', owner: MEME_BODY.buildCurveByMarketCapParam.quoteMint, headerImage: 'data:' },
      { headerImage: ['headerImage must be a file, got a text'] },
    ],
  ])('refuses a form with %s', async (_, fields, errors) => {
    expect(await desk.submit(fields)).toEqual({ status: 400, json: { errors } });
  });

  it('says why a launch would fail', async () => {
    const { transaction, owner } = await desk.prepare();
    desk.submissions.rig.fund(1_000_000n);
    const { status, json } = await desk.submit({ transaction, owner });
    desk.submissions.reset();
    expect([status, json]).toEqual([
      400,
      { error: expect.stringContaining('the launch would fail, and was not sent') },
    ]);
  });
});

describe('the page of a launch', () => {
  it('is not found for other tokens, and for launches that were not submitted', async () => {
    const { mint } = await desk.prepare();
    for (const each of [mint, MEME_BODY.buildCurveByMarketCapParam.quoteMint]) {
      expect(await desk.page(each)).toEqual({ status: 404, json: { error: 'Token not found' } });
    }
  });
});

const PNG = new Blob([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])], {
  type: 'image/png',
});
