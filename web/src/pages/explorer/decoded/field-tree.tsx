import '../../../parts/disclosure.css';
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
        <div key={index} className={isGroup(field) ? 'field-tree__group' : undefined}>
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
  const { children } = field;
  if (children.length === 0) return <FieldValue field={field} />;
  return isGroup(field) ? (
    <FieldGroup field={field} />
  ) : (
    <ul className="field-tree__items">
      {children.map((child) => (
        <li key={child.name}>
          <FieldValue field={child} />
        </li>
      ))}
    </ul>
  );
}

/** Whether a field has its fields below it, and not some plain values beside its name. */
function isGroup({ kind, children }: ShownField): boolean {
  if (children.length === 0) return false;
  const isShort = kind === 'list' && children.length <= MAX_PLAIN;
  return !isShort || children.some((child) => child.children.length > 0);
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
      <summary>{value === '' ? countFields(children.length) : escapeInvisible(value)}</summary>
      <div className="disclosure__content">{isOpen ? <FieldTree fields={children} /> : null}</div>
    </details>
  );
}

function countFields(count: number): string {
  return count === 1 ? '1 field' : `${count} fields`;
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
