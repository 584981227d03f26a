import { type FormEvent, useState } from 'react';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { COUNTRIES } from '../source/countries.ts';
import { METHODS } from '../source/rule-draft.ts';
import { type DescribedRequest, type FirewallTeam, useRequestTrial } from '../source/use-firewall.ts';
import { useSuggestions } from '../source/use-suggestions.ts';

const EMPTY: DescribedRequest = {
  path: '/swap/v2/order',
  method: 'GET',
  key: '',
  ip: '',
  country: '',
  headerName: '',
  headerValue: '',
};

/** Asks what the firewall, as it is saved, does with a request that is described by hand. */
export function TryRequest({ team }: { readonly team: FirewallTeam }) {
  const [request, setRequest] = useState(EMPTY);
  const { keys } = useSuggestions(team);
  const { mutate, data, error, isPending, reset } = useRequestTrial(team);
  const set = (changes: Partial<DescribedRequest>) => {
    setRequest({ ...request, ...changes });
    reset();
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    mutate(request);
  };
  return (
    <Panel title="Try one request">
      <p className="rule-note">
        What do the saved rules do with a request like this? Nothing is sent and nothing is counted. What you
        leave empty is unknown.
      </p>
      <form className="try-request" onSubmit={send}>
        <TextField label="Path" value={request.path} onChange={(path) => set({ path })} />
        <SelectField
          label="Method"
          value={request.method}
          options={METHODS.map((one) => [one, one])}
          onChange={(method) => set({ method })}
        />
        <SelectField
          label="Key"
          value={request.key}
          options={[['', 'one that no rule names'], ...keys.map((key) => [key, key] as const)]}
          onChange={(key) => set({ key })}
        />
        <TextField label="Address" value={request.ip} onChange={(ip) => set({ ip })} />
        <SelectField
          label="Country"
          value={request.country}
          options={[['', 'unknown'], ...COUNTRIES.map(({ code, name }) => [code, name] as const)]}
          onChange={(country) => set({ country })}
        />
        <TextField label="Header" value={request.headerName} onChange={(headerName) => set({ headerName })} />
        <TextField
          label="Value of the header"
          value={request.headerValue}
          onChange={(headerValue) => set({ headerValue })}
        />
        <Button type="submit" busy={isPending}>
          Try it
        </Button>
      </form>
      <div aria-live="polite" data-testid="trial">
        {error === null ? null : <ErrorNote error={error} />}
        {data === undefined ? null : (
          <p className="rule-sentence">
            {escapeInvisible(
              data.decided === null
                ? 'No rule matches: the request passes the firewall.'
                : `The rule “${data.decided.name}” decides: ${data.decided.action}. Rules that match: ${data.matched.join(', ')}.`,
            )}
          </p>
        )}
      </div>
    </Panel>
  );
}

function TextField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="text"
          value={value}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

function SelectField({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {escapeInvisible(text)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
