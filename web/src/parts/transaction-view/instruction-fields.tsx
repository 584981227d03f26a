import type { DecodedField } from '../../api/decoded-transaction.ts';
import { AddressText } from '../address-text.tsx';
import { Amount } from '../amount.tsx';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatFieldValue, nameField } from './field-text.ts';

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** The largest amount of a u64, by which programs are asked for all that there is. */
const NO_LIMIT = '18446744073709551615';
const WHOLE_NUMBER = /^-?\d+$/;

/** What is known of an instruction's data, amounts in units. */
export function InstructionFields({ fields }: { readonly fields: readonly DecodedField[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="instruction-fields">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{nameField(field.name)}</dt>
          <dd>
            <FieldValue field={field} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldValue({ field: { name, value, unit } }: { readonly field: DecodedField }) {
  if (value === NO_LIMIT) return <span title={value}>no limit</span>;
  if (unit !== null && WHOLE_NUMBER.test(value)) {
    return <Amount raw={value} decimals={unit.decimals} symbol={unit.symbol} />;
  }
  if (ADDRESS.test(value)) return <AddressText address={value} />;
  const text = formatFieldValue(name, value);
  return <span title={text === value ? undefined : value}>{escapeInvisible(text)}</span>;
}
