import './request-form.css';
import type { ReactNode } from 'react';
import type { ApiOperation } from '../../../openapi/model/api-model.ts';
import type { ApiSide } from '../../../openapi/use-api-model.ts';
import { ABSENT } from '../../../openapi/form/values.ts';
import { Button } from '../../../parts/button.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Field } from '../../../parts/field.tsx';
import { CredentialFields } from './credential-fields.tsx';
import { SortedFields } from '../fields/nested-editors.tsx';
import {
  BODY_PATH,
  type BodyForm,
  type OperationFields,
  type RequestForm,
  switchBodyMode,
} from './request-form.ts';
import { ValueEditor } from '../fields/value-editor.tsx';
import { WalletBar } from './wallet-bar.tsx';

/** The form of one request: its parameters, its body, and who the caller is. */
export function RequestFormView({
  side,
  operation,
  fields,
  form,
  problems,
  onChange,
}: {
  readonly side: ApiSide;
  readonly operation: ApiOperation;
  readonly fields: OperationFields;
  readonly form: RequestForm;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (form: RequestForm) => void;
}) {
  const required = operation.credentials.filter(({ isRequired }) => isRequired);
  const optional = operation.credentials.filter(({ isRequired }) => !isRequired);
  return (
    <div className="request-form">
      {side === 'public' ? <WalletBar fields={fields} form={form} onChange={onChange} /> : null}
      <CredentialFields side={side} credentials={required} problems={problems} />
      {fields.parameters.length === 0 ? null : (
        <FormPart title="Parameters">
          <SortedFields
            fields={fields.parameters.map(({ key, field }) => ({
              id: key,
              path: key,
              field,
              value: form.parameters.get(key) ?? ABSENT,
            }))}
            problems={problems}
            onChange={(key, value) =>
              onChange({ ...form, parameters: new Map(form.parameters).set(key, value) })
            }
          />
        </FormPart>
      )}
      {fields.body === null || form.body === null ? null : (
        <BodyPart
          field={fields.body}
          canBeJson={operation.body?.kind === 'json'}
          body={form.body}
          problems={problems}
          onChange={(body) => onChange({ ...form, body })}
        />
      )}
      {fields.parameters.length === 0 && fields.body === null && required.length === 0 ? (
        <p className="request-form__none">This request needs nothing.</p>
      ) : null}
      {optional.length === 0 ? null : (
        <Disclosure
          summary={optional.map(({ header }) => (header === 'x-api-key' ? 'API key' : 'Token')).join(', ')}
        >
          <div className="request-form">
            <CredentialFields side={side} credentials={optional} problems={problems} />
          </div>
        </Disclosure>
      )}
    </div>
  );
}

function FormPart({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="request-form__part">
      <div className="request-form__head">
        <h3>{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

function BodyPart({
  field,
  canBeJson,
  body,
  problems,
  onChange,
}: {
  readonly field: NonNullable<OperationFields['body']>;
  readonly canBeJson: boolean;
  readonly body: BodyForm;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (body: BodyForm) => void;
}) {
  const problem = problems.get(BODY_PATH);
  const others = [...problems].filter(([path]) => path !== BODY_PATH && path.startsWith(BODY_PATH));
  const isJson = body.mode === 'json';
  const change = (
    <Button kind="quiet" aria-pressed={isJson} onClick={() => onChange(switchBodyMode(field, body))}>
      {isJson ? 'Edit as fields' : 'Edit as JSON'}
    </Button>
  );
  return (
    <FormPart title="Body" aside={canBeJson ? change : null}>
      {body.mode === 'json' ? (
        <Field
          label="JSON"
          error={
            problem ??
            (others.length === 0 ? null : others.map(([path, text]) => `${path}: ${text}`).join(' '))
          }
        >
          {(control) => (
            <textarea
              {...control}
              value={body.text}
              rows={Math.min(28, Math.max(6, body.text.split('\n').length + 1))}
              data-path={BODY_PATH}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onChange({ mode: 'json', text: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <ValueEditor
          field={field}
          value={body.value}
          path={BODY_PATH}
          problems={problems}
          onChange={(value) => onChange({ mode: 'fields', value })}
        />
      )}
    </FormPart>
  );
}
