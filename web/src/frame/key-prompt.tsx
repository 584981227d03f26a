import { useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../api/call.ts';
import { API_KEY, useCredential } from '../api/credentials.ts';
import { isOverLimit } from '../api/instance.ts';
import { Page, Panel } from '../parts/page.tsx';
import { SecretForm } from '../parts/secret-form.tsx';

/** Shown in place of any page while the instance does not answer a caller without an API key, or not as often as it asked. */
export function KeyPrompt({ refusal }: { readonly refusal: ApiError }) {
  const queryClient = useQueryClient();
  const [kept, keep] = useCredential(API_KEY);
  return (
    <Page {...(isOverLimit(refusal) ? OVER_LIMIT_TEXTS : MISSING_TEXTS)}>
      <Panel>
        <SecretForm
          label="API key"
          help="Kept for this tab only, and sent to this instance alone."
          error={kept === '' ? null : describeKeyRefusal(refusal)}
          action="Use this key"
          onSubmit={(key) => {
            keep(key);
            void queryClient.resetQueries();
          }}
        />
      </Panel>
    </Page>
  );
}

const MISSING_TEXTS = {
  title: 'An API key is needed',
  lead: 'This instance answers only callers with a key.',
};

const OVER_LIMIT_TEXTS = {
  title: 'Too many requests in the last minute',
  lead: 'This page asks again by itself. An API key allows more requests than callers without one have.',
};

function describeKeyRefusal(refusal: ApiError): string {
  return isOverLimit(refusal)
    ? 'The key has no more requests now either.'
    : `The key was not accepted: ${refusal.message}`;
}
