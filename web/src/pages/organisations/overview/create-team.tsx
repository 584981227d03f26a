import { useState } from 'react';
import { sendAdmin } from '../../../api/admin.ts';
import { toScopePath } from '../../../api/scope.ts';
import { Button } from '../../../parts/button.tsx';
import { SLUG, SlugField } from '../../../parts/manage/slug-field.tsx';
import { useChange } from '../../../parts/manage/use-change.ts';
import { QuestionDialog } from '../../../parts/question-dialog.tsx';
import { ErrorNote } from '../../../parts/status.tsx';

/** A button that creates a team. */
export function CreateTeam({ organisation }: { readonly organisation: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Create a team
      </Button>
      {isOpen ? <CreateTeamDialog organisation={organisation} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function CreateTeamDialog({
  organisation,
  onClose,
}: {
  readonly organisation: string;
  readonly onClose: () => void;
}) {
  const [slug, setSlug] = useState('');
  const [isTried, setTried] = useState(false);
  const change = useChange();
  return (
    <QuestionDialog title="Create a team" onClose={onClose}>
      <form
        className="question__form"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!SLUG.test(slug)) return;
          const path = toScopePath({ kind: 'organisation', organisation }, '/teams');
          change.start(() => sendAdmin('POST', path, { slug }), onClose);
        }}
      >
        <SlugField label="Name" value={slug} isTried={isTried} onChange={setSlug} />
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="question__buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={change.isBusy}>
            Create
          </Button>
        </div>
      </form>
    </QuestionDialog>
  );
}
