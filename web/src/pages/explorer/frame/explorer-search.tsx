import './explorer-search.css';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { parseSearchTarget } from './search-target.ts';

/**
 * Opens the transaction of a signature, or the account of an address.
 * @param initial - What the field has at first: what the address of the page names, so that it can be corrected.
 */
export function ExplorerSearch({ initial = '' }: { readonly initial?: string }) {
  const navigate = useNavigate();
  const [text, setText] = useState(initial);
  const [error, setError] = useState<string | null>(null);
  const search = (event: FormEvent) => {
    event.preventDefault();
    const target = parseSearchTarget(text);
    setError(target === null ? describeRefusal(text) : null);
    if (target?.kind === 'transaction') {
      void navigate({ to: '/explorer/tx/$signature', params: { signature: target.signature } });
    } else if (target?.kind === 'account') {
      void navigate({ to: '/explorer/account/$address', params: { address: target.address } });
    }
  };
  return (
    <search>
      <form className="explorer-search" onSubmit={search}>
        <Field label="Signature or address" error={error}>
          {(control) => (
            <input
              {...control}
              type="text"
              value={text}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              placeholder="64 or 32 bytes in base58"
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary">
          Open
        </Button>
      </form>
    </search>
  );
}

function describeRefusal(text: string): string {
  return text.trim() === ''
    ? 'Enter the signature of a transaction, or the address of an account.'
    : 'This is neither a signature (64 bytes in base58) nor an address (32 bytes).';
}
