import type { TransactionResult } from '../../api/decoded-transaction.ts';
import { formatWhole } from '../../base/format-amount.ts';
import { AddressText } from '../address-text.tsx';
import { Code } from '../code.tsx';
import { nameInstruction } from './field-text.ts';
import { InstructionFields } from './instruction-fields.tsx';

/** The events that programs wrote into the log, decoded where they are known. */
export function LoggedEvents({ events }: { readonly events: TransactionResult['events'] }) {
  return (
    <ol className="instruction-list">
      {events.map(({ program, programLabel, name, fields, data, logLine }) => (
        <li key={logLine}>
          <div className="instruction-card">
            <p className="instruction-card__head">
              <strong className="instruction-card__name">
                {name === null ? 'unknown event' : nameInstruction(name)}
              </strong>
              <span className="instruction-card__program">
                <AddressText address={program} label={programLabel} copy={false} /> in line{' '}
                {formatWhole(logLine + 1)}
              </span>
            </p>
            {fields.length > 0 ? (
              <InstructionFields fields={fields} />
            ) : (
              <div className="instruction-card__data">
                <Code text={data} language="text" label="the data in hexadecimal" maxLines={3} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** What the last program returned that returned something. */
export function ReturnedData({
  returned: { program, programLabel, data },
}: {
  readonly returned: NonNullable<TransactionResult['returned']>;
}) {
  return (
    <>
      <p>
        By <AddressText address={program} label={programLabel} copy={false} />, {formatWhole(data.length / 2)}{' '}
        bytes.
      </p>
      <div className="instruction-card__data">
        <Code text={data} language="text" label="the returned data in hexadecimal" maxLines={4} />
      </div>
    </>
  );
}
