import type { CheckKind, SITUATIONS, Situation, WebhookSituation } from './report.ts';

/** When a maker passes each situation over its streams, as a sentence of the checklist. */
const STREAM_MEANINGS: Readonly<Record<(typeof SITUATIONS)[number], string>> = {
  connection: 'The maker has the status prod, and its swap stream and its quote stream are open.',
  quotes: 'Its snapshots are accepted, none is refused, and at least one of its books is in the market.',
  fill: 'It signs a swap of a thousandth of its best level unchanged within 10 s, and the swap lands.',
  'refuses a better price': 'It does not sign a fill that pays the taker a tenth more than it quoted.',
  'refuses expired terms': 'It does not sign a fill that has expired.',
  'refuses more than was quoted': 'It does not sign a fill of twice what all its levels hold.',
  'refuses an instruction that takes from its address':
    'It does not sign a good swap with a transfer of SOL from its address beside it.',
  'refuses an instruction that takes from its token account':
    'It does not sign a good swap that also lets the taker spend from its token account.',
  'refuses a fill outside the aggregator':
    'It does not sign a fill that the transaction calls by itself, without the checks of the aggregator.',
  'refuses other token accounts in its place':
    "It does not sign a fill from somebody else's token accounts under its authority.",
  expiry:
    'When a good swap is not made after all, it stays connected and streams another snapshot within 15 s.',
  reconnect:
    'After its swap stream was ended, it opens another within 30 s, signs the swap that waited for it, and quotes again with a new sequence number.',
  'back-pressure': 'Its connection takes 256 messages of 1 KiB, and every ack, within 5 s.',
};

/** The same for a webhook. */
const WEBHOOK_MEANINGS: Readonly<Record<WebhookSituation, string>> = {
  tokens: 'The webhook lists the mints that it trades, at most 10,000.',
  'quote of an exact input':
    'It quotes a small exact input of one of its first pairs in time, with every field.',
  'quote of an exact output':
    'It quotes a small exact output of one of its first pairs in time, with every field.',
  'no quote of an unknown token': 'Asked for a token that it does not list, it answers with 404.',
  swap: 'It accepts a swap of its own quote, and lands it within 60 s.',
  rejection: 'It rejects a swap of a quote that it never gave, and says why.',
  'rejection for lack of balance': 'It rejects a swap with the reason insufficientBalance.',
  'rejection of a signature':
    "It rejects a swap without the taker's signature with the reason signatureVerificationFailed.",
  'refuses a better price': 'It rejects a swap that pays the taker a tenth more than it quoted.',
  'refuses an instruction that takes from its address':
    'It rejects a swap with a transfer of SOL from its address beside it.',
  'refuses to pay for an account': "It rejects a swap in which it pays for the taker's output account.",
  'refuses a quote that is not its own': 'It rejects a swap that names a quote which it never gave.',
  'malformed requests': 'It answers bodies that are no JSON or lack their fields with an error.',
  key: 'It answers a question with another key with 401; passed if it was registered without a key.',
};

/** What each situation of a kind of check means, in the order in which the maker is put through them. */
export const SITUATION_MEANINGS: Readonly<Record<CheckKind, ReadonlyMap<Situation, string>>> = {
  streams: new Map(Object.entries(STREAM_MEANINGS) as [Situation, string][]),
  webhook: new Map(Object.entries(WEBHOOK_MEANINGS) as [Situation, string][]),
};
