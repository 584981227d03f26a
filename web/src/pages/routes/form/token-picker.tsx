import './token-picker.css';
import { type KeyboardEvent, useId, useState } from 'react';
import { isAddress } from '../../../base/is-address.ts';
import { shortenAddress } from '../../../base/format-text.ts';
import { Field } from '../../../parts/field.tsx';
import { type TokenInfo, useTokenSearch } from '../../../api/known-tokens.ts';

/** A field that finds a token by its symbol, its name or the address of its mint. */
export function TokenPicker({
  label,
  mint,
  info,
  isLoaded,
  error,
  onChoose,
}: {
  readonly label: string;
  readonly mint: string;
  /** Null: nothing is known of the token. */
  readonly info: TokenInfo | null;
  readonly isLoaded: boolean;
  readonly error: string | null;
  readonly onChoose: (mint: string) => void;
}) {
  const listId = useId();
  // Null: nobody is searching, and the field shows the token that is chosen.
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const isOpen = text !== null;
  const { data: found = [], isPending, error: searchError } = useTokenSearch(text ?? '', isOpen);
  const close = () => setText(null);
  const choose = (chosen: string) => {
    close();
    if (chosen !== mint) onChoose(chosen);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) return setText('');
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(found.length === 0 ? 0 : (active + step + found.length) % found.length);
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      const chosen = found[active]?.mint ?? (isAddress(text.trim()) ? text.trim() : null);
      if (chosen !== null) choose(chosen);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    }
  };
  const leave = () => {
    const pasted = text?.trim() ?? '';
    if (isAddress(pasted)) choose(pasted);
    else close();
  };
  return (
    <div className="token-picker">
      <Field
        label={label}
        error={error}
        help={
          <>
            {info !== null ? `${info.name} · ` : isLoaded && isAddress(mint) ? 'In no list of tokens · ' : ''}
            <span className="token-picker__mint" title={mint}>
              {shortenAddress(mint)}
            </span>
            {info?.isVerified === true ? ' · verified' : ''}
          </>
        }
      >
        {(control) => (
          <input
            {...control}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && found[active] !== undefined ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder="Symbol, name or mint"
            value={text ?? info?.symbol ?? shortenAddress(mint)}
            onFocus={(event) => event.target.select()}
            onClick={() => setText((before) => before ?? '')}
            onChange={(event) => {
              setText(event.target.value);
              setActive(0);
            }}
            onKeyDown={onKeyDown}
            onBlur={leave}
          />
        )}
      </Field>
      <div
        id={listId}
        role="listbox"
        aria-label={`Tokens for ${label}`}
        className="token-picker__list"
        hidden={!isOpen}
        // The field would lose the focus before the click arrives.
        onMouseDown={(event) => event.preventDefault()}
      >
        {found.map((token, index) => (
          <TokenOption
            key={token.mint}
            id={`${listId}-${index}`}
            token={token}
            isActive={index === active}
            onPoint={() => setActive(index)}
            onChoose={() => choose(token.mint)}
          />
        ))}
        {isOpen && found.length === 0 ? (
          <SearchNote text={text} isPending={isPending} hasFailed={searchError !== null} />
        ) : null}
      </div>
    </div>
  );
}

function TokenOption({
  id,
  token,
  isActive,
  onPoint,
  onChoose,
}: {
  readonly id: string;
  readonly token: TokenInfo;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className="token-picker__option"
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      onMouseMove={isActive ? undefined : onPoint}
      onClick={onChoose}
    >
      <span className="token-picker__symbol">{token.symbol}</span>
      <span className="token-picker__name">{token.name}</span>
      <span className={token.isVerified ? 'token-picker__verified' : 'token-picker__unverified'}>
        {token.isVerified ? '✓ verified' : 'not verified'}
      </span>
      <span className="token-picker__mint" title={token.mint}>
        {shortenAddress(token.mint)}
      </span>
    </div>
  );
}

function SearchNote({
  text,
  isPending,
  hasFailed,
}: {
  readonly text: string;
  readonly isPending: boolean;
  readonly hasFailed: boolean;
}) {
  // An option that cannot be chosen: a list of options may hold nothing else.
  return (
    <div
      role="option"
      aria-selected={false}
      aria-disabled={true}
      tabIndex={-1}
      className="token-picker__note"
    >
      {hasFailed
        ? 'The search failed. Is Sluice still running?'
        : isPending
          ? 'Searching …'
          : isAddress(text.trim())
            ? 'No token list knows this mint. Press Enter to use it all the same.'
            : 'No token is found. The address of a mint works too.'}
    </div>
  );
}
