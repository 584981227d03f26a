import './value-editor.css';
import type { ReactNode } from 'react';
import { formatExactJson } from '../../../base/exact-json.ts';
import type { FormField } from '../../../openapi/form/fields.ts';
import { ABSENT, type FormValue, openFormValue } from '../../../openapi/form/values.ts';
import { Button } from '../../../parts/button.tsx';
import { Field, type FieldControl } from '../../../parts/field.tsx';
import { Prose } from '../../../parts/prose.tsx';
import { FileControl } from './file-control.tsx';
import { ListEditor, MapEditor, ObjectEditor, VariantsEditor } from './nested-editors.tsx';
import { isSecretName } from './secret-name.ts';

/** What every editor of a value is given. */
export interface ValueEditorProps {
  readonly field: FormField;
  readonly value: FormValue;
  /** Where the value stands, as the problems of a form name it. */
  readonly path: string;
  readonly onChange: (value: FormValue) => void;
  /** Whether the value is an element of a list, or a member whose name is free: it is there, or removed. Default: false. */
  readonly isElement?: boolean;
  /** The problems that are shown, by their paths. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Texts that are longer get several lines. */
const LONG_TEXT = 90;

/** The control for one value, with its label, its type, its description and what is wrong with it. */
export function ValueEditor(props: ValueEditorProps) {
  const { field, value, path, onChange, problems, isElement = false } = props;
  if (value.kind !== 'null') {
    if (field.kind === 'object') return <ObjectEditor {...props} field={field} />;
    if (field.kind === 'list') return <ListEditor {...props} field={field} />;
    if (field.kind === 'map') return <MapEditor {...props} field={field} />;
    if (field.kind === 'variants') return <VariantsEditor {...props} field={field} />;
  }
  return (
    <Field
      label={field.name !== '' ? field.name : field.kind === 'file' ? 'File' : 'Value'}
      required={field.isRequired && !isElement}
      note={<FieldNote field={field} />}
      error={problems.get(path)}
      {...(field.description === '' ? {} : { help: <Prose text={field.description} /> })}
    >
      {(control) =>
        value.kind === 'null' ? (
          <div className="value-editor__null" id={control.id}>
            <code>null</code>
            <Button kind="quiet" onClick={() => onChange(openFormValue(field))}>
              Enter a value
            </Button>
          </div>
        ) : (
          <SimpleControl {...props} control={control} />
        )
      }
    </Field>
  );
}

/** The type and the bounds of a value, beside its name. */
export function FieldNote({ field }: { readonly field: FormField }): ReactNode {
  const kinds: Readonly<Record<FormField['kind'], string>> = {
    text: '',
    integer: 'whole number',
    number: 'number',
    boolean: 'true or false',
    choice: '',
    list: 'list',
    object: '',
    map: 'names and values',
    variants: '',
    json: 'JSON',
    file: 'file',
  };
  const fallback = field.fallback === null ? '' : `default ${formatExactJson(field.fallback)}`;
  // A pattern is for the check; its sentence says what to enter.
  const bounds = field.bounds.replace(/,? ?matches .*$/, '');
  return [kinds[field.kind], bounds, fallback, field.isDeprecated ? 'deprecated' : '']
    .filter((part) => part !== '')
    .join(', ');
}

function SimpleControl(props: ValueEditorProps & { readonly control: FieldControl }) {
  const { field, value, path, onChange, control } = props;
  const text = value.kind === 'typed' ? value.text : '';
  const onText = (typed: string) =>
    onChange(typed === '' && field.kind !== 'text' ? ABSENT : { kind: 'typed', text: typed });
  switch (field.kind) {
    case 'boolean':
      return <Choices {...props} labels={['true', 'false']} text={text} onText={onText} />;
    case 'choice':
      return (
        <Choices {...props} labels={field.choices.map(({ label }) => label)} text={text} onText={onText} />
      );
    case 'file':
      return <FileControl control={control} path={path} value={value} onChange={onChange} />;
    case 'json':
      return <LongText {...props} text={text} onText={onText} rows={4} />;
    default: {
      if (isSecretName(field.name))
        return <LineOfText {...props} text={text} onText={onText} type="password" />;
      // A text that has grown keeps its lines while it is edited, so that the control stays the same one.
      if (text.length > LONG_TEXT || text.includes('\n') || (field.kind === 'text' && isForLongTexts(field)))
        return <LongText {...props} text={text} onText={onText} rows={3} />;
      return <LineOfText {...props} text={text} onText={onText} type="text" />;
    }
  }
}

function isForLongTexts({ name }: FormField): boolean {
  return /transaction$|^(signed|deposit)?tx$|signedtx$/i.test(name);
}

interface TextControlProps {
  readonly control: FieldControl;
  readonly path: string;
  readonly field: FormField;
  readonly text: string;
  readonly onText: (text: string) => void;
}

function LineOfText({
  control,
  path,
  field,
  text,
  onText,
  type,
}: TextControlProps & { readonly type: string }) {
  const isNumber = field.kind === 'integer' || field.kind === 'number';
  return (
    <input
      {...control}
      type={type}
      value={text}
      data-path={path}
      inputMode={isNumber ? 'decimal' : 'text'}
      autoComplete={type === 'password' ? 'new-password' : 'off'}
      spellCheck={false}
      className={isNumber ? 'value-editor__number' : 'value-editor__text'}
      onChange={(event) => onText(event.target.value)}
    />
  );
}

function LongText({ control, path, text, onText, rows }: TextControlProps & { readonly rows: number }) {
  return (
    <textarea
      {...control}
      value={text}
      data-path={path}
      rows={rows}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onText(event.target.value)}
    />
  );
}

function Choices({
  control,
  path,
  field,
  labels,
  text,
  onText,
}: TextControlProps & { readonly labels: readonly string[] }) {
  const isUnknown = text !== '' && !labels.includes(text);
  return (
    <select {...control} value={text} data-path={path} onChange={(event) => onText(event.target.value)}>
      <option value="">{field.isRequired ? 'Choose …' : '(not sent)'}</option>
      {isUnknown ? <option value={text}>{text} (not one of the choices)</option> : null}
      {labels.map((label) => (
        <option key={label} value={label}>
          {label}
        </option>
      ))}
    </select>
  );
}
