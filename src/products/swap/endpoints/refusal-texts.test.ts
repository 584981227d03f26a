import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../common/unavailable.ts';
import { address } from '../../../solana/address.ts';
import { createUnquoted, QuotesUnavailable, SwapRefused } from '../../../swaps/refusals.ts';
import { toPublicRefusal } from './refusal-texts.ts';

describe('toPublicRefusal', () => {
  it('writes the sentence of a term, and keeps the code', () => {
    const refused = new SwapRefused({ kind: 'fee-leaves-no-output' }, 'NOT_SUPPORTED');
    expect(toPublicRefusal(refused)).toMatchObject({
      message: 'platformFeeBps leaves nothing of the output; give less',
      errorCode: 'NOT_SUPPORTED',
    });
  });

  it.each([
    [
      { kind: 'no-route-in-account-limit', maxAccounts: 5, needs: 17 },
      'no route needs 5 accounts or fewer: the smallest that was found needs 17; raise maxAccounts',
    ],
    [
      { kind: 'oversized-swap', problem: 'it has 1300 bytes', legacy: true },
      'the swap does not fit a transaction: it has 1300 bytes; quote with asLegacyTransaction=true',
    ],
    [
      { kind: 'oversized-swap', problem: 'it has 1300 bytes', legacy: false },
      'the swap does not fit a transaction: it has 1300 bytes; quote with fewer maxAccounts, or at /swap/v2/quote with dynamicSwap=false',
    ],
    [
      { kind: 'named-maker-unavailable' },
      'the maker that webhookId names cannot be asked for both tokens now',
    ],
    [{ kind: 'venues-without-makers' }, 'dexes names the venues that may be used, and makers are none'],
  ] as const)('writes %j', (term, text) => {
    expect(toPublicRefusal(new SwapRefused(term))).toMatchObject({ message: text, errorCode: null });
  });

  it('writes the terms inside the reasons of the engines', () => {
    const refused = toPublicRefusal(createUnquoted(OF_ROUTERS, true));
    expect(refused).toBeInstanceOf(SwapRefused);
    expect(refused).toMatchObject({ message: TEXT, reason: { kind: 'unquoted', askedMakersOnly: true } });
    const unavailable = toPublicRefusal(new QuotesUnavailable(OF_ROUTERS));
    expect(unavailable).toBeInstanceOf(Unavailable);
    expect(unavailable).toMatchObject({ message: TEXT, retryAfterSeconds: 1 });
  });

  it('returns anything else as it is', () => {
    for (const thrown of [
      new SwapRefused('a sentence'),
      new Unavailable('later'),
      new Error('a defect'),
      7,
    ]) {
      expect(toPublicRefusal(thrown)).toBe(thrown);
    }
  });
});

const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const OF_ROUTERS = [
  'no router quotes this swap',
  ['; metis: ', { kind: 'fee-in-token-2022-by-v1', mint: MINT }],
  ['; jupiterz: ', 'it failed'],
] as const;
const TEXT = `no router quotes this swap; metis: feeAccount is of the Token-2022 mint ${MINT}, which V1 instructions cannot move: ask for instructionVersion=V2; jupiterz: it failed`;
