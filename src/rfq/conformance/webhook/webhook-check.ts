import { CallDeadline } from '../../webhooks/call-deadline.ts';
import type { WebhookCallOutcome, WebhookClient } from '../../webhooks/http-client.ts';
import type { CheckSubject } from '../trials/check-dependencies.ts';
import {
  reportFailed,
  type Finding,
  reportPassed,
  reportSkipped,
  type CheckVerdict,
  WEBHOOK_SITUATIONS,
} from '../trials/report.ts';
import {
  type CallWebhook,
  type CheckedWebhook,
  describeCallOutcome,
  type WebhookCheckDependencies,
} from './checked.ts';
import {
  type TokenListFinding,
  checkWebhookQuotes,
  type SmallQuote,
  checkTokenList,
  checkUnknownToken,
} from './quote-checks.ts';
import { refusals, rejections, checkWebhookSwap } from './swap-checks.ts';

/** The time that the service waits for an answer to a swap. */
const CALL_MS = 40_000;
/** The time for answers that need no work by the maker. */
const REFUSAL_MS = 10_000;
const NO_QUOTE = 'it quotes nothing, so there is nothing to swap';

/**
 * Puts a maker's webhook through every situation, and reports each finding as soon as it is known.
 * @param report - Called once for each situation, in the order of `WEBHOOK_SITUATIONS`.
 */
export async function runWebhookCheck(
  dependencies: WebhookCheckDependencies,
  subject: CheckSubject,
  report: (finding: Finding) => void,
): Promise<void> {
  const record = dependencies.webhooks.find(subject.makerId)?.record;
  const clients: WebhookClient[] = [];
  const callAs = (apiKey: string | null): CallWebhook => {
    if (record === undefined) throw new Error(`${subject.makerId} has no webhook`);
    const client = dependencies.openWebhook({ url: record.url, apiKey });
    clients.push(client);
    return (path, body, options) => callOnce(dependencies, client, path, body, options);
  };
  try {
    if (record === undefined) {
      for (const situation of WEBHOOK_SITUATIONS)
        report({ situation, ...reportSkipped('the maker has no webhook any more') });
      return;
    }
    const checked: CheckedWebhook = { dependencies, subject, record, call: callAs(record.apiKey) };
    await runAll(checked, callAs, report);
  } finally {
    for (const client of clients) client.close();
  }
}

async function runAll(
  checked: CheckedWebhook,
  callAs: (apiKey: string | null) => CallWebhook,
  report: (finding: Finding) => void,
): Promise<void> {
  const listed: TokenListFinding = await checkTokenList(checked);
  report({ situation: 'tokens', ...listed.verdict });
  const quoted = await checkWebhookQuotes(checked, listed.mints);
  report({ situation: 'quote of an exact input', ...quoted.exactIn });
  report({ situation: 'quote of an exact output', ...quoted.exactOut });
  report({ situation: 'no quote of an unknown token', ...(await checkUnknownToken(checked, listed.mints)) });
  const again = quoted.again;
  const withQuote = async (work: (quote: () => Promise<SmallQuote | null>) => Promise<CheckVerdict>) =>
    again === null ? reportSkipped(NO_QUOTE) : work(again);
  report({ situation: 'swap', ...(await withQuote((quote) => checkWebhookSwap(checked, quote))) });
  for (const { situation, run } of [...rejections, ...refusals])
    report({ situation, ...(await withQuote((quote) => run(checked, quote))) });
  report({ situation: 'malformed requests', ...(await malformed(checked)) });
  report({ situation: 'key', ...(await key(checked, callAs)) });
}

async function callOnce(
  { timers }: WebhookCheckDependencies,
  client: WebhookClient,
  path: string,
  body: string | null,
  { timeoutMs = CALL_MS, maxBytes }: { readonly timeoutMs?: number; readonly maxBytes?: number } = {},
): Promise<WebhookCallOutcome> {
  const deadline = new CallDeadline(timers, timeoutMs);
  try {
    return await client.call({
      method: body === null ? 'GET' : 'POST',
      path,
      body: body === null ? null : Buffer.from(body),
      headers: { 'x-request-start': String(timers.now()), 'x-request-timeout': String(timeoutMs) },
      deadline,
      reuses: false,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
  } finally {
    deadline.close();
  }
}

/**
 * Sends a body that is not JSON, and one without its fields. Makers may answer them with different codes for a bad
 * request.
 */
async function malformed({ call }: CheckedWebhook): Promise<CheckVerdict> {
  for (const path of ['/quote', '/swap'] as const) {
    for (const body of ['{', '{}']) {
      const outcome = await call(path, body, { timeoutMs: REFUSAL_MS });
      const seen = describeCallOutcome(outcome);
      const isRefused = outcome.kind === 'answered' && [400, 404, 415, 422].includes(outcome.status);
      const isRejected = path === '/swap' && outcome.kind === 'answered' && outcome.body.includes('reject');
      if (!isRefused && !isRejected)
        return reportFailed(`it must answer ${body} at ${path} with 400, but ${seen}`);
    }
  }
  return reportPassed('it refuses bodies that are no JSON or lack their fields');
}

async function key(
  { record }: CheckedWebhook,
  callAs: (apiKey: string | null) => CallWebhook,
): Promise<CheckVerdict> {
  if (record.apiKey === null) return reportPassed('it was registered without a key');
  const asked = JSON.stringify({ requestId: 'check', quoteId: 'check' });
  const outcome = await callAs(`not ${record.apiKey}`.slice(0, record.apiKey.length))('/quote', asked, {
    timeoutMs: REFUSAL_MS,
  });
  if (outcome.kind === 'answered' && outcome.status === 401)
    return reportPassed('it answers 401 to another key');
  return reportFailed(`it must answer 401 to another key, but ${describeCallOutcome(outcome)}`);
}
