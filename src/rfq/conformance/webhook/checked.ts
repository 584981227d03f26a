import type { WebhookCallOutcome } from '../../webhooks/http-client.ts';
import type { WebhookRecord } from '../../webhooks/webhook.ts';
import type { CheckDependencies, CheckNetwork, CheckSubject } from '../trials/check-dependencies.ts';

export interface WebhookCheckDependencies
  extends Pick<CheckDependencies, 'webhooks' | 'openWebhook' | 'timers' | 'newUuid'> {
  readonly network: Omit<CheckNetwork, 'land'>;
}

/** The webhook under check, and how it is called. */
export interface CheckedWebhook {
  readonly dependencies: WebhookCheckDependencies;
  readonly subject: CheckSubject;
  readonly record: WebhookRecord;
  readonly call: CallWebhook;
}

/** Calls the webhook once. Never rejects. */
export type CallWebhook = (
  path: '/quote' | '/swap' | '/tokens',
  body: string | null,
  options?: { readonly timeoutMs?: number; readonly maxBytes?: number },
) => Promise<WebhookCallOutcome>;

/** Describes the outcome of a call, as a clause for the report. */
export function describeCallOutcome(outcome: WebhookCallOutcome): string {
  return outcome.kind === 'failed' ? outcome.message : `it answers ${outcome.status}`;
}
