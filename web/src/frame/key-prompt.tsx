import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { API_KEY, useCredential } from '../api/credentials.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Page, Panel } from '../parts/page.tsx';

/** Shown in place of any page while the instance answers nobody without an API key. */
export function KeyPrompt({ refusal }: { readonly refusal: string }) {
  const queryClient = useQueryClient();
  const [kept, keep] = useCredential(API_KEY);
  const [text, setText] = useState('');
  return (
    <Page title="An API key is needed" lead="This instance answers only callers with a key.">
      <Panel>
        <form
          className="key-prompt"
          onSubmit={(event) => {
            event.preventDefault();
            keep(text.trim());
            void queryClient.resetQueries();
          }}
        >
          <Field
            label="API key"
            help="Kept for this tab only, and sent to this instance alone."
            error={kept === '' ? null : `The key was not accepted: ${refusal}`}
          >
            {(control) => (
              <input
                {...control}
                type="password"
                autoComplete="off"
                spellCheck={false}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" kind="primary" disabled={text.trim() === ''}>
            Use this key
          </Button>
        </form>
      </Panel>
    </Page>
  );
}
