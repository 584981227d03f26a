import { type FormEvent, useState } from 'react';
import { formatExactJson } from '../../../base/exact-json.ts';
import { toWords } from '../../../base/to-words.ts';
import { checkFormValue } from '../../../openapi/form/checks.ts';
import { type FormField, toField } from '../../../openapi/form/fields.ts';
import { ABSENT, type FormValue, readFormValue } from '../../../openapi/form/values.ts';
import { useApiModel } from '../../../openapi/use-api-model.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { Prose } from '../../../parts/prose.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';

interface SchemaFormProps {
  /** The operation of the admin interface whose body the form fills, by method and path. */
  readonly method: string;
  readonly path: string;
  /** The values at first, by the names of the members. */
  readonly initial?: Readonly<Record<string, string>>;
  /** What the button says. */
  readonly action: string;
  readonly busy: boolean;
  /** Called with the body as JSON. */
  readonly onSubmit: (body: string) => void;
}

/** A form for the body of an operation, made from its schema: each member with its description and its bounds. */
export function SchemaForm(props: SchemaFormProps) {
  const { data: model, error, refetch } = useApiModel('admin');
  if (model === undefined)
    return error === null ? (
      <Loading what="the form" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  const operation = [...model.operations.values()].find(
    ({ method, path }) => method === props.method && path === props.path,
  );
  if (operation?.body == null) return null;
  const field = toField({ name: '', schema: operation.body.schema, isRequired: true }, model.schemas);
  return field.kind === 'object' ? <MemberForm {...props} field={field} members={field.members} /> : null;
}

function MemberForm({
  field,
  members,
  initial = {},
  action,
  busy,
  onSubmit,
}: SchemaFormProps & { readonly field: FormField; readonly members: readonly FormField[] }) {
  const [texts, setTexts] = useState(initial);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value: FormValue = {
      kind: 'members',
      members: new Map(members.map(({ name }) => [name, toTypedValue(texts[name])])),
    };
    const found = checkFormValue(field, value);
    setProblems(new Map(found.map(({ path, text }) => [path, text])));
    const body = readFormValue(field, value);
    if (found.length === 0 && body !== undefined) onSubmit(formatExactJson(body));
  };
  return (
    <form className="schema-form" onSubmit={submit} noValidate>
      {members.map((member) => (
        <Field
          key={member.name}
          label={toLabel(member.name)}
          required={member.isRequired}
          note={member.bounds.replace(/,? ?matches .*$/, '')}
          error={problems.get(member.name)}
          {...(member.description === ''
            ? {}
            : { help: <Prose text={member.description.replace(/when absent/g, 'when empty')} /> })}
        >
          {(control) =>
            member.kind === 'choice' ? (
              <select
                {...control}
                value={texts[member.name] ?? ''}
                onChange={({ target }) => setTexts({ ...texts, [member.name]: target.value })}
              >
                <option value="">{member.isRequired ? 'Choose one' : 'none'}</option>
                {member.choices.map(({ label }) => (
                  <option key={label} value={label}>
                    {label}
                  </option>
                ))}
              </select>
            ) : (
              <input
                {...control}
                type="text"
                inputMode={member.kind === 'integer' || member.kind === 'number' ? 'decimal' : 'text'}
                autoComplete="off"
                spellCheck={false}
                value={texts[member.name] ?? ''}
                onChange={({ target }) => setTexts({ ...texts, [member.name]: target.value })}
              />
            )
          }
        </Field>
      ))}
      <Button type="submit" kind="primary" busy={busy}>
        {action}
      </Button>
    </form>
  );
}

function toTypedValue(text: string | undefined): FormValue {
  return text === undefined || text.trim() === '' ? ABSENT : { kind: 'typed', text: text.trim() };
}

function toLabel(name: string): string {
  const words = toWords(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
