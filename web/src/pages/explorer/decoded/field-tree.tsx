import './field-tree.css';
import { useState } from 'react';
import { formatUnits, formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { toWords } from '../../../base/to-words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import type { ShownField } from './shown-account.ts';

const MAX_SYMBOL = 16;
const MAX_DECIMALS = 40;
const WHOLE = /^-?\d+$/;
/** Longer lists are closed at first: the elements of a closed one are not made. */
const MAX_OPEN = 3;
/** Lists of so many values are shown without a frame. */
const MAX_PLAIN = 4;

/** The fields of an account by their names, with those of structs and lists below them. */
export function FieldTree({ fields }: { readonly fields: readonly ShownField[] }) {
  return (
    <dl className="field-tree">
      {fields.map((field, index) => (
        // Names repeat in data that somebody made for it.
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields of an account do not move.
        <div key={index}>
          <dt>{nameField(field)}</dt>
          <dd>
            <FieldContent field={field} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldContent({ field }: { readonly field: ShownField }) {
  const { kind, children } = field;
  if (children.length === 0) return <FieldValue field={field} />;
  const isPlain = kind === 'list' && children.length <= MAX_PLAIN;
  return isPlain && children.every((child) => child.children.length === 0) ? (
    <ul className="field-tree__items">
      {children.map((child) => (
        <li key={child.name}>
          <FieldValue field={child} />
        </li>
      ))}
    </ul>
  ) : (
    <FieldGroup field={field} />
  );
}

/** The items of a list are numbered from one. */
function nameField({ name }: ShownField): string {
  return WHOLE.test(name) ? `${Number(name) + 1}.` : escapeInvisible(toWords(name));
}

function FieldGroup({ field }: { readonly field: ShownField }) {
  const { value, kind, children } = field;
  const [isOpen, setOpen] = useState(kind === 'struct' || children.length <= MAX_OPEN);
  return (
    <details
      className="disclosure"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{value === '' ? `${children.length} fields` : escapeInvisible(value)}</summary>
      <div className="disclosure__content">{isOpen ? <FieldTree fields={children} /> : null}</div>
    </details>
  );
}

function FieldValue({ field }: { readonly field: ShownField }) {
  const { value, kind, label, decimals, symbol, mint } = field;
  if (kind === 'address')
    return <AddressText address={value} label={label === null ? null : escapeInvisible(label)} />;
  if (kind === 'amount' && WHOLE.test(value) && decimals <= MAX_DECIMALS) {
    const unit = symbol === null ? null : shortenName(symbol, MAX_SYMBOL);
    return (
      <span title={`${value} in smallest units`}>
        {formatUnits(BigInt(value), decimals)}{' '}
        {unit ?? (mint === null ? null : <AddressText address={mint} copy={false} />)}
      </span>
    );
  }
  if (kind === 'time' && WHOLE.test(value))
    return <span title={value}>{formatUtcTime(Number(value) * 1_000)}</span>;
  if (kind === 'number' && WHOLE.test(value)) return formatWhole(BigInt(value));
  return escapeInvisible(value);
}
