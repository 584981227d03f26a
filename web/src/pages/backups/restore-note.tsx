import { Code } from '../../parts/code.tsx';
import { Panel } from '../../parts/page.tsx';
import type { BackupsView } from './backup-shape.ts';
import { toShellWord } from '../../base/shell-word.ts';

/** How a backup is restored, and how backups are made by a timer. */
export function RestoreNote({ view: { dataFolder, database } }: { readonly view: BackupsView }) {
  const folder = toShellWord(dataFolder);
  return (
    <Panel title="Restore, and make them by a timer">
      <p>
        Stop the instance first. As the user who runs it, restore into its folder; what was there is moved
        aside, not removed. A backup of a newer program is refused, and changes nothing.
      </p>
      <Code
        label="the command that restores"
        language="bash"
        text={`sluice restore BACKUP.tgz --data-dir ${folder} --replace yes`}
      />
      {database ? null : (
        <p>
          Restore the database on its server too, with <code>pg_restore</code>, from a dump of about the same
          time. The instance needs the same <code>key-secret</code>, because keys in the database are hashed
          with it.
        </p>
      )}
      <p>A timer of the machine can make one every day. The command reads what it wrote before it is done.</p>
      <Code
        label="the command that makes a backup"
        language="bash"
        text={`sluice backup "sluice-$(date +%F).tgz" --data-dir ${folder}`}
      />
      <p>
        <a href="/docs/operation#backup">Backup and restore in the documentation</a>
      </p>
    </Panel>
  );
}
