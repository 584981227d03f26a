import { formatCounted } from '../../../base/count-words.ts';
import { type ReactNode, useState } from 'react';
import type { FormField } from '../../../openapi/form/fields.ts';
import {
  ABSENT,
  createFormValue,
  type FormValue,
  openFormValue,
  openVariant,
} from '../../../openapi/form/values.ts';
import { Button } from '../../../parts/button.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Prose } from '../../../parts/prose.tsx';
import { FieldNote, ValueEditor, type ValueEditorProps } from './value-editor.tsx';

type EditorOf<Kind extends FormField['kind']> = Omit<ValueEditorProps, 'field'> & {
  readonly field: Extract<FormField, { readonly kind: Kind }>;
};

/** The members of an object. Those that are seldom needed are behind a disclosure. */
export function ObjectEditor(props: EditorOf<'object'>) {
  const { field, value, path, onChange, problems } = props;
  const members = value.kind === 'members' ? value.members : null;
  const change = (name: string, next: FormValue) =>
    onChange({ kind: 'members', members: new Map(members ?? []).set(name, next) });
  return (
    <NestedFields {...props}>
      {members === null ? null : (
        <SortedFields
          fields={field.members.map((member) => ({
            id: member.name,
            path: path === '' ? member.name : `${path}.${member.name}`,
            field: member,
            value: members.get(member.name) ?? ABSENT,
          }))}
          onChange={change}
          problems={problems}
        />
      )}
    </NestedFields>
  );
}

/** A field with its place and its value, among others. */
export interface PlacedField {
  readonly id: string;
  readonly path: string;
  readonly field: FormField;
  readonly value: FormValue;
}

/** Fields one below the other: first those that are required or have a value, then the others in a disclosure. */
export function SortedFields({
  fields,
  onChange,
  problems,
}: {
  readonly fields: readonly PlacedField[];
  readonly onChange: (id: string, value: FormValue) => void;
  readonly problems: ReadonlyMap<string, string>;
}) {
  // Decided once: a field that gets its value must not move away under the hands that type it.
  const [first] = useState(() => new Set(fields.filter(isFirst).map(({ id }) => id)));
  const shown = fields.filter(({ id }) => first.has(id));
  const others = fields.filter(({ id }) => !first.has(id));
  const hasProblem = others.some((each) => [...problems.keys()].some((path) => path.startsWith(each.path)));
  const editor = ({ id, field, value, path }: PlacedField) => (
    <ValueEditor
      key={id}
      field={field}
      value={value}
      path={path}
      onChange={(next) => onChange(id, next)}
      problems={problems}
    />
  );
  const set = others.filter(({ value }) => !isEmpty(value)).length;
  return (
    <div className="value-editor__fields">
      {shown.map(editor)}
      {others.length === 0 ? null : (
        <Disclosure
          summary={`${others.length} optional ${others.length === 1 ? 'value' : 'values'}${set === 0 ? '' : `, ${set} set`}`}
          open={hasProblem || shown.length === 0}
        >
          <div className="value-editor__fields">{others.map(editor)}</div>
        </Disclosure>
      )}
    </div>
  );
}

function isFirst({ field, value }: PlacedField): boolean {
  return field.isRequired || !isEmpty(value);
}

function isEmpty(value: FormValue): boolean {
  return value.kind === 'absent' || (value.kind === 'typed' && value.text === '');
}

/** The elements of a list. */
export function ListEditor(props: EditorOf<'list'>) {
  const { field, value, path, onChange, problems } = props;
  const items = value.kind === 'items' ? value.items : [];
  const replace = (next: readonly FormValue[]) =>
    onChange(next.length === 0 && !field.isRequired ? ABSENT : { kind: 'items', items: next });
  return (
    <NestedFields {...props} isList>
      {items.map((item, index) => (
        // An element has no name but its place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <div className="value-editor__item" key={index}>
          <ValueEditor
            field={{ ...field.item, name: `${index + 1}` }}
            value={item}
            path={`${path}[${index}]`}
            isElement
            onChange={(next) => replace(items.with(index, next))}
            problems={problems}
          />
          <Button
            kind="quiet"
            className="value-editor__remove"
            aria-label={`Remove ${field.name} ${index + 1}`}
            onClick={() => replace(items.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div className="value-editor__actions">
        <Button
          disabled={field.maxItems !== null && items.length >= field.maxItems}
          onClick={() => replace([...items, openFormValue(field.item)])}
        >
          Add an element
        </Button>
      </div>
    </NestedFields>
  );
}

/** The members of an object whose names are free. */
export function MapEditor(props: EditorOf<'map'>) {
  const { field, value, path, onChange, problems } = props;
  const entries = value.kind === 'entries' ? value.entries : [];
  const replace = (next: typeof entries) =>
    onChange(next.length === 0 && !field.isRequired ? ABSENT : { kind: 'entries', entries: next });
  return (
    <NestedFields {...props} isList>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while it is typed.
        <div className="value-editor__item" key={index}>
          <div className="value-editor__fields">
            <input
              className="value-editor__text"
              aria-label={`Name of member ${index + 1} of ${field.name}`}
              value={entry.name}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => replace(entries.with(index, { ...entry, name: event.target.value }))}
            />
            <ValueEditor
              field={{ ...field.value, name: entry.name }}
              value={entry.value}
              path={`${path}.${entry.name}`}
              isElement
              onChange={(next) => replace(entries.with(index, { ...entry, value: next }))}
              problems={problems}
            />
          </div>
          <Button
            kind="quiet"
            className="value-editor__remove"
            aria-label={`Remove ${entry.name}`}
            onClick={() => replace(entries.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div className="value-editor__actions">
        <Button onClick={() => replace([...entries, { name: '', value: createFormValue(field.value) }])}>
          Add a member
        </Button>
      </div>
    </NestedFields>
  );
}

/** A value of which there are several kinds: first the kind, then the value. */
export function VariantsEditor(props: EditorOf<'variants'>) {
  const { field, value, path, onChange, problems } = props;
  const index = value.kind === 'variant' ? value.index : -1;
  const variant = field.variants[index];
  return (
    <NestedFields {...props} isList>
      <select
        className="value-editor__kind"
        aria-label={`Kind of ${field.name}`}
        data-path={path}
        value={String(index)}
        onChange={(event) => {
          const next = Number(event.target.value);
          onChange(next < 0 ? ABSENT : openVariant(field, next));
        }}
      >
        <option value="-1">{field.isRequired ? 'Choose a kind …' : '(not sent)'}</option>
        {field.variants.map(({ label }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the variants of a field never change.
          <option key={at} value={String(at)}>
            {label}
          </option>
        ))}
      </select>
      {variant === undefined || value.kind !== 'variant' ? null : (
        <ValueEditor
          key={index}
          field={{ ...variant.field, name: field.name }}
          value={value.value}
          path={path}
          isElement
          onChange={(next) => onChange({ kind: 'variant', index, value: next })}
          problems={problems}
        />
      )}
    </NestedFields>
  );
}

/** An object of more members is folded, so that a long body can be seen as a whole. */
const MAX_UNFOLDED = 5;

/** A value that has parts, under its name. One that is optional is added and removed as a whole. */
function NestedFields({
  field,
  value,
  path,
  onChange,
  problems,
  isElement = false,
  isList = false,
  children,
}: ValueEditorProps & { readonly isList?: boolean; readonly children: ReactNode }) {
  const isPresent = value.kind !== 'absent' || isList;
  // The body itself has no name, and stands under the heading of its panel.
  if (field.name === '' && field.isRequired) return <div className="value-editor__nested">{children}</div>;
  const problem = problems.get(path);
  const inner = <div className="value-editor__inner">{children}</div>;
  const isLong = field.kind === 'object' && field.members.length > MAX_UNFOLDED;
  const hasProblem = [...problems.keys()].some((each) => each.startsWith(path));
  return (
    <fieldset className="value-editor__nested">
      <legend>
        <span className="field__label">{field.name === '' ? 'Body' : field.name}</span>
        {field.isRequired && !isElement ? <span className="field__required">required</span> : null}
        <span className="field__note">
          <FieldNote field={field} />
        </span>
      </legend>
      {field.description === '' ? null : (
        <div className="field__help">
          <Prose text={field.description} />
        </div>
      )}
      {problem === undefined || field.kind === 'variants' ? null : <p className="field__error">{problem}</p>}
      {!isPresent ? null : isLong ? (
        <Disclosure summary={countMembers(value)} open={hasProblem}>
          {children}
        </Disclosure>
      ) : (
        inner
      )}
      {isList || isElement || field.isRequired ? null : (
        <div className="value-editor__actions">
          {isPresent ? (
            <Button kind="quiet" className="value-editor__remove" onClick={() => onChange(ABSENT)}>
              Remove {field.name}
            </Button>
          ) : (
            <Button onClick={() => onChange(openFormValue(field))}>Add {field.name}</Button>
          )}
        </div>
      )}
    </fieldset>
  );
}

function countMembers(value: FormValue): string {
  const set =
    value.kind === 'members' ? [...value.members.values()].filter((each) => !isEmpty(each)).length : 0;
  return `${formatCounted(set, 'value')} set`;
}
