import type { CallOutcome } from '../../webhooks/http-client.ts';
import type { WebhookRecord } from '../../webhooks/webhook.ts';
import type { CheckDependencies, CheckNetwork, Subject } from '../trials/check-dependencies.ts';

/** What a check of a webhook uses. */
export interface WebhookCheckDependencies
  extends Pick<CheckDependencies, 'webhooks' | 'openWebhook' | 'timers' | 'newUuid'> {
  readonly network: Omit<CheckNetwork, 'land'>;
}

/** The webhook under check, and how it is called. */
export interface Checked {
  readonly dependencies: WebhookCheckDependencies;
  readonly subject: Subject;
  readonly record: WebhookRecord;
  readonly call: Call;
}

/** Calls the webhook once. Never rejects. */
export type Call = (
  path: '/quote' | '/swap' | '/tokens',
  body: string | null,
  options?: { readonly timeoutMs?: number; readonly maxBytes?: number },
) => Promise<CallOutcome>;

/** Describes the outcome of a call, as a clause for the report. */
export function seenOf(outcome: CallOutcome): string {
  return outcome.kind === 'failed' ? outcome.message : `it answers ${outcome.status}`;
}
