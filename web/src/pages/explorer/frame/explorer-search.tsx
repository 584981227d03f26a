import './explorer-search.css';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { parseSearchTarget } from './search-target.ts';

/**
 * Opens the transaction of a signature, the account of an address, the block of a slot, or the tokens of a symbol.
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
    } else if (target?.kind === 'block') {
      void navigate({ to: '/explorer/block/$slot', params: { slot: target.slot } });
    } else if (target?.kind === 'tokens') {
      void navigate({ to: '/explorer/tokens', search: { query: target.query } as never });
    }
  };
  return (
    <search>
      <form className="explorer-search" onSubmit={search}>
        <Field label="Signature or address, slot or token" error={error}>
          {(control) => (
            <input
              {...control}
              type="text"
              value={text}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              placeholder="A signature, an address, a slot number or a symbol"
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
    ? 'Enter the signature of a transaction, an address, a slot, or the symbol of a token.'
    : 'This is neither a signature (64 bytes in base58) nor an address (32 bytes), no slot and no symbol.';
}
