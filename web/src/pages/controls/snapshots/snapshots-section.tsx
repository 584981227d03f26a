import { type ChangeEvent, type FormEvent, useState } from 'react';
import { type AdminAnswer, callAdminOperation, useAdminAnswer } from '../../../api/admin-operations.ts';
import { decodeBase64, encodeBase64 } from '../../../base/base64.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { Field } from '../../../parts/field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { useControl } from '../activity/activity.tsx';
import { saveFile } from '../../../base/save-file.ts';

type Snapshots = AdminAnswer<'GET /admin/v1/network/snapshots'>;

/** What the dialog asks about. */
interface Question {
  readonly kind: 'restore' | 'delete';
  readonly name: string;
}

/** States of the network under names. */
export function SnapshotsSection() {
  const { data, error, refetch } = useAdminAnswer('GET /admin/v1/network/snapshots');
  const [question, setQuestion] = useState<Question | null>(null);
  const restore = useControl<Snapshots, string>({
    act: (name) => callAdminOperation('POST /admin/v1/network/snapshots/{name}/restore', { path: { name } }),
    nameAct: (name) => `Restored the snapshot ${name}`,
    describeResult: () => 'Accounts, prices and clock are those of the snapshot',
  });
  const remove = useControl<Snapshots, string>({
    act: (name) => callAdminOperation('DELETE /admin/v1/network/snapshots/{name}', { path: { name } }),
    nameAct: (name) => `Deleted the snapshot ${name}`,
    describeResult: ({ snapshots }) => `${snapshots.length} are left`,
  });
  const download = useControl<AdminAnswer<'GET /admin/v1/network/snapshots/{name}/content'>, string>({
    act: (name) => callAdminOperation('GET /admin/v1/network/snapshots/{name}/content', { path: { name } }),
    nameAct: (name) => `Downloaded the snapshot ${name}`,
    describeResult: ({ content }, name) => {
      saveSnapshot(`${name}.snapshot`, content);
      return `${formatWhole(Math.round((content.length * 3) / 4))} bytes`;
    },
  });
  const failure = restore.error ?? remove.error ?? download.error;
  return (
    <section id="snapshots">
      <Panel title="Snapshots">
        <p className="controls__note">
          A snapshot holds all accounts, the prices and the clock. It is the way back from anything that is
          tried here.
        </p>
        <SaveForm />
        {failure === null ? null : <ErrorNote error={failure} />}
        {data === undefined ? (
          error === null ? (
            <Loading what="the snapshots" />
          ) : (
            <ErrorNote error={error} onRetry={() => void refetch()} />
          )
        ) : data.snapshots.length === 0 ? (
          <EmptyNote>There is no snapshot yet. Save one before you change something.</EmptyNote>
        ) : (
          <DataTable
            caption="Snapshots"
            columns={[
              { heading: 'Name', cell: ({ name }: Snapshots['snapshots'][number]) => <code>{name}</code> },
              { heading: 'Slot', cell: ({ slot }) => formatWhole(BigInt(slot)), align: 'end' },
              {
                heading: 'Do',
                cell: ({ name }) => (
                  <span className="controls__buttons">
                    <Button
                      onClick={() => setQuestion({ kind: 'restore', name })}
                      aria-label={`Restore ${name}`}
                    >
                      Restore
                    </Button>
                    <Button onClick={() => download.mutate(name)} aria-label={`Download ${name}`}>
                      Download
                    </Button>
                    <Button
                      onClick={() => setQuestion({ kind: 'delete', name })}
                      aria-label={`Delete ${name}`}
                    >
                      Delete
                    </Button>
                  </span>
                ),
              },
            ]}
            rows={data.snapshots}
            rowKey={({ name }) => name}
          />
        )}
        <UploadForm />
      </Panel>
      {question === null ? null : question.kind === 'restore' ? (
        <ConfirmDialog
          title={`Restore ${question.name}?`}
          action="Restore it"
          onConfirm={() => restore.mutate(question.name)}
          onClose={() => setQuestion(null)}
        >
          <p>
            All accounts, prices and the clock become those of the snapshot. What happened since is lost, and
            faults that wait are gone.
          </p>
        </ConfirmDialog>
      ) : (
        <ConfirmDialog
          title={`Delete ${question.name}?`}
          action="Delete it"
          onConfirm={() => remove.mutate(question.name)}
          onClose={() => setQuestion(null)}
        >
          <p>The network stays as it is. The snapshot cannot be had back.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function SaveForm() {
  const [name, setName] = useState('');
  const save = useControl<Snapshots, string>({
    act: (chosen) => callAdminOperation('POST /admin/v1/network/snapshots', { body: { name: chosen } }),
    nameAct: (chosen) => `Saved the snapshot ${chosen}`,
    describeResult: ({ snapshots }, chosen) =>
      `At slot ${snapshots.find((each) => each.name === chosen)?.slot ?? 'unknown'}`,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(name.trim());
  };
  return (
    <form className="controls__line" onSubmit={submit}>
      <Field
        label="Name of the snapshot"
        help="Lowercase letters, digits and hyphens."
        error={save.error === null ? null : save.error.message}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" busy={save.isPending} disabled={name.trim() === ''}>
        Save a snapshot
      </Button>
    </form>
  );
}

/** A file of a snapshot that was downloaded from this instance, or from another one with the same seed. */
function UploadForm() {
  const upload = useControl<Snapshots, File>({
    act: async (file) => {
      const content = encodeBase64(new Uint8Array(await file.arrayBuffer()));
      return callAdminOperation('PUT /admin/v1/network/snapshots/{name}/content', {
        path: { name: toSnapshotName(file.name) },
        body: { content },
      });
    },
    nameAct: (file) => `Uploaded the snapshot ${toSnapshotName(file.name)}`,
    describeResult: () => 'It was checked, and can be restored',
  });
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    target.value = '';
    if (file !== undefined) upload.mutate(file);
  };
  return (
    <>
      <Field
        label="Upload a snapshot"
        help="A file that was downloaded here, or from another instance with the same seed. Its name becomes that of the snapshot."
      >
        {(control) => <input {...control} type="file" disabled={upload.isPending} onChange={choose} />}
      </Field>
      {upload.error === null ? null : <ErrorNote error={upload.error} />}
    </>
  );
}

function toSnapshotName(file: string): string {
  const name = file
    .toLowerCase()
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'snapshot' : name.slice(0, 64);
}

function saveSnapshot(name: string, base64: string): void {
  const bytes = decodeBase64(base64);
  if (bytes === null) throw new Error('The snapshot is no base64.');
  saveFile(new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
}
