import { acceptTransaction } from '../submissions/accept.ts';
import { EXAMPLE_TRANSACTION } from '../../example-values.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { createOverloadAnswer } from './overload.ts';
import { SubmitAnswer, SubmitBody, SubmitRefusal } from './schema.ts';
import type { LandingServices } from '../submissions/services.ts';

/** Tells clients that a newer form exists, with the headers of RFC 9745. The date is in Unix seconds. */
const DEPRECATED = { deprecation: '@1782864000', link: '</tx/v1>; rel="successor-version"' };

export const submit = defineEndpoint({
  method: 'POST',
  path: '/tx/v1/submit',
  aliases: ['/swap/v2/submit'],
  operationId: 'PostSubmit',
  example: { body: { signedTransaction: EXAMPLE_TRANSACTION } },
  summary: 'Land a signed transaction (older form)',
  description:
    'The older REST form of `sendTransaction`, with the same rules. Refusals are answers with status 400.',
  bucket: 'submit',
  credits: 0,
  body: SubmitBody,
  responses: {
    200: SubmitAnswer,
    400: SubmitRefusal,
  },
  onInvalid: (_body, { message }) => new OtherAnswer(400, { error: message }, DEPRECATED),
  handle: async (services: LandingServices, request) => {
    const accepted = await acceptTransaction(services, request.body.signedTransaction, request);
    if (accepted.ok) return new OtherAnswer(200, { signature: accepted.signature }, DEPRECATED);
    const { code, message } = accepted.error;
    if (code === 'busy' || code === 'full') return createOverloadAnswer(code, message);
    return new OtherAnswer(400, { error: message }, DEPRECATED);
  },
});
