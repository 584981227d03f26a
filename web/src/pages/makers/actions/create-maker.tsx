import { useState } from 'react';
import { isAddress } from '../../../base/is-address.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { MakerKeyNote } from './maker-key-note.tsx';
import { QuestionDialog } from '../../../parts/question-dialog.tsx';
import { type NewMakerTerms, useMakerCreation } from './use-maker-change.ts';

const EMPTY: NewMakerTerms = { id: '', address: '', name: '', webhook: '', webhookKey: '' };
const ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;

/** A button that creates a maker, and shows its key. */
export function CreateMaker() {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<{ readonly id: string; readonly key: string } | null>(null);
  return (
    <>
      <div className="maker-actions">
        <Button kind="primary" onClick={() => setOpen(true)}>
          Register a maker
        </Button>
      </div>
      {created === null ? null : (
        <MakerKeyNote maker={created.id} secret={created.key} onClose={() => setCreated(null)} />
      )}
      {isOpen ? (
        <CreateDialog
          onClose={() => setOpen(false)}
          onCreated={(maker) => {
            setOpen(false);
            setCreated(maker);
          }}
        />
      ) : null}
    </>
  );
}

function CreateDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (maker: { readonly id: string; readonly key: string }) => void;
}) {
  const [terms, setTerms] = useState(EMPTY);
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, error } = useMakerCreation();
  const set = (changes: Partial<NewMakerTerms>) => setTerms({ ...terms, ...changes });
  const problems = findProblems(terms);
  const show = (problem: string | null) => (isTried ? problem : null);
  return (
    <QuestionDialog title="Register a maker" onClose={onClose}>
      <form
        className="question__form"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (Object.values(problems).every((problem) => problem === null))
            mutate(terms, { onSuccess: onCreated });
        }}
      >
        <TextField
          label="Id"
          required
          help="1 to 64 letters, digits, dots, hyphens and underscores."
          value={terms.id}
          error={show(problems.id)}
          onChange={(id) => set({ id })}
        />
        <TextField
          label="Address"
          required
          help="Signs its fills and owns its inventory."
          value={terms.address}
          error={show(problems.address)}
          onChange={(address) => set({ address })}
        />
        <TextField
          label="Name"
          help="What you call it. It may stay empty."
          value={terms.name}
          onChange={(name) => set({ name })}
        />
        <TextField
          label="URL of its webhook"
          help="Only for a maker that is asked by HTTP. One that streams its books has none."
          value={terms.webhook}
          onChange={(webhook) => set({ webhook })}
        />
        {terms.webhook === '' ? null : (
          <TextField
            label="Key that the webhook wants"
            help="Sent to the webhook as x-api-key. It may stay empty."
            value={terms.webhookKey}
            secret
            onChange={(webhookKey) => set({ webhookKey })}
          />
        )}
        {error === null ? null : <ErrorNote error={error} />}
        <div className="question__buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={isPending}>
            Register
          </Button>
        </div>
      </form>
    </QuestionDialog>
  );
}

function TextField({
  label,
  help,
  value,
  error = null,
  required = false,
  secret = false,
  onChange,
}: {
  readonly label: string;
  readonly help: string;
  readonly value: string;
  readonly error?: string | null;
  readonly required?: boolean;
  readonly secret?: boolean;
  readonly onChange: (text: string) => void;
}) {
  return (
    <Field label={label} help={help} error={error} required={required}>
      {(control) => (
        <input
          {...control}
          type={secret ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value.trimStart())}
        />
      )}
    </Field>
  );
}

function findProblems({ id, address }: NewMakerTerms) {
  return {
    id: ID.test(id)
      ? null
      : 'letters, digits, dots, hyphens and underscores, beginning with a letter or digit',
    address: isAddress(address) ? null : 'an address in base58',
  };
}
