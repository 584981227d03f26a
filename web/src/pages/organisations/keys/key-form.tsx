import '../../../parts/manage/manage.css';
import type { ReactNode } from 'react';
import { useInstance } from '../../../api/instance.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import type { ManageChange } from '../../../parts/manage/use-change.ts';
import { ErrorNote } from '../../../parts/status.tsx';
import type { KeyExpiry, KeyProblems, KeyTermsForm } from './key-terms.ts';

const EXPIRIES: readonly (readonly [KeyExpiry, string])[] = [
  ['never', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In 365 days'],
  ['date', 'At the end of a day'],
];

/** The form for what a key is called, what it opens and how long. */
export function KeyForm({
  form,
  problems,
  expiresAt,
  action,
  change,
  before,
  onChange,
  onSubmit,
  onClose,
}: {
  readonly form: KeyTermsForm;
  readonly problems: KeyProblems | null;
  /** When the key expires now; null: never. Undefined: there is no key yet. */
  readonly expiresAt?: number | null;
  /** What the button says. */
  readonly action: string;
  readonly change: ManageChange;
  /** Stands above the name. */
  readonly before?: ReactNode;
  readonly onChange: (changes: Partial<KeyTermsForm>) => void;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}) {
  const kept = expiresAt === undefined ? [] : [['kept', nameKept(expiresAt)] as const];
  return (
    <form
      className="question__form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {before}
      <Field
        label="Name"
        required
        help="What you call it. It is shown in the log, and firewall rules can name it."
        error={problems?.name}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            value={form.name}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <ProductChoice
        products={form.products}
        problem={problems?.products ?? null}
        onChange={(products) => onChange({ products })}
      />
      <Field label="Expires">
        {(control) => (
          <select
            {...control}
            value={form.expiry}
            onChange={({ target }) => onChange({ expiry: target.value as KeyExpiry })}
          >
            {[...kept, ...EXPIRIES].map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      {form.expiry === 'date' ? (
        <Field label="Last day" help="It is accepted until this day ends in UTC." error={problems?.date}>
          {(control) => (
            <input
              {...control}
              type="date"
              value={form.date}
              onChange={({ target }) => onChange({ date: target.value })}
            />
          )}
        </Field>
      ) : null}
      {change.error === null ? null : <ErrorNote error={change.error} />}
      <div className="question__buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={change.isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

function ProductChoice({
  products,
  problem,
  onChange,
}: {
  readonly products: readonly string[] | null;
  readonly problem: string | null;
  readonly onChange: (products: readonly string[] | null) => void;
}) {
  const { data: instance } = useInstance();
  const known = instance?.products.map(({ name }) => name) ?? [];
  // A product that no longer exists stays chosen until its reader removes it: the server refuses it by its name.
  const gone = (products ?? []).filter((name) => !known.includes(name));
  const toggle = (name: string, isOn: boolean) =>
    onChange(isOn ? [...(products ?? []), name] : (products ?? []).filter((each) => each !== name));
  return (
    <>
      <Field label="Opens" error={problem}>
        {(control) => (
          <select
            {...control}
            value={products === null ? 'all' : 'some'}
            onChange={({ target }) => onChange(target.value === 'all' ? null : [])}
          >
            <option value="all">Every product</option>
            <option value="some">These products only</option>
          </select>
        )}
      </Field>
      {products === null ? null : (
        <fieldset className="manage-choices">
          <legend className="visually-hidden">Products that it opens</legend>
          {[...known, ...gone].map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={products.includes(name)}
                onChange={({ target }) => toggle(name, target.checked)}
              />
              {escapeInvisible(name)}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

function nameKept(expiresAt: number | null): string {
  return expiresAt === null ? 'Never (as now)' : `${formatUtcTime(expiresAt)} (as now)`;
}
