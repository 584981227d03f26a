import './field.css';
import { type ReactNode, useId } from 'react';

/** What a field gives its control: the ids that join it to its label, its help and its error. */
export interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/** A labelled control with its help and its error. */
export function Field({
  label,
  help,
  error,
  required = false,
  note,
  children,
}: {
  readonly label: ReactNode;
  readonly help?: ReactNode;
  /** What is wrong with the value; null or absent: nothing. */
  readonly error?: string | null | undefined;
  readonly required?: boolean;
  /** Shown beside the label: the type of the value. */
  readonly note?: ReactNode;
  readonly children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const hasError = error !== null && error !== undefined && error !== '';
  const described = [help === undefined ? null : `${id}-help`, hasError ? `${id}-error` : null].filter(
    Boolean,
  );
  return (
    <div className="field">
      <div className="field__head">
        <label className="field__label" htmlFor={id}>
          {label}
        </label>
        {required ? <span className="field__required">required</span> : null}
        {note === undefined ? null : <span className="field__note">{note}</span>}
      </div>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': hasError ? true : undefined,
      })}
      {hasError ? (
        <p className="field__error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {help === undefined ? null : (
        <p className="field__help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}
