import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import type { OperatorMakerView } from '../source/maker-shapes.ts';
import { MakerKeyNote } from './maker-key-note.tsx';
import { QuestionDialog } from '../../../parts/question-dialog.tsx';
import { type MakerAction, useMakerChange } from './use-maker-change.ts';

interface Question {
  readonly label: string;
  readonly title: string;
  readonly consequence: string;
}

const QUESTIONS: Readonly<Record<MakerAction, Question>> = {
  enable: {
    label: 'Enable',
    title: 'Enable the maker?',
    consequence: 'It can connect again, and a webhook that its conduct turned off is asked again.',
  },
  disable: {
    label: 'Disable',
    title: 'Disable the maker?',
    consequence:
      'Its streams end, its books leave the market, and its calls are refused until you enable it.',
  },
  rotate: {
    label: 'Replace its key',
    title: 'Replace the key of the maker?',
    consequence:
      'The key that it has is refused from now on, and its streams end. The new one is shown once.',
  },
  reinstate: {
    label: 'Reinstate',
    title: 'Reinstate the maker?',
    consequence: 'A suspension ends, and a modified swap is forgiven. Its fill rate counts from here.',
  },
  remove: {
    label: 'Remove',
    title: 'Remove the maker?',
    consequence:
      'Its key is refused, its books leave the market, and its id and wallet are free for another one. This cannot be undone.',
  },
};

/** What the operator can do with a maker. Each asks before it is done. */
export function MakerActions({ maker }: { readonly maker: OperatorMakerView }) {
  const [asked, setAsked] = useState<MakerAction | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const change = useMakerChange(maker.id);
  const navigate = useNavigate();
  const isBarred = maker.tampered || maker.suspendedUntil !== null || maker.status === 'suspended';
  const isWebhookOff = maker.webhook !== null && maker.webhook.status !== 'prod';
  const offered: readonly MakerAction[] = [
    ...(isBarred || isWebhookOff ? (['reinstate'] as const) : []),
    ...(!maker.enabled || isWebhookOff ? (['enable'] as const) : []),
    ...(maker.enabled ? (['disable'] as const) : []),
    'rotate',
    'remove',
  ];
  const close = () => {
    setAsked(null);
    change.reset();
  };
  const act = (action: MakerAction) =>
    change.mutate(action, {
      onSuccess: (secret) => {
        setAsked(null);
        setKey(secret);
        if (action === 'remove') void navigate({ to: '/makers' });
      },
    });
  return (
    <>
      <div className="maker-actions">
        {offered.map((action) => (
          <Button
            key={action}
            kind={action === 'remove' ? 'quiet' : 'plain'}
            onClick={() => setAsked(action)}
          >
            {QUESTIONS[action].label}
          </Button>
        ))}
      </div>
      {key === null ? null : <MakerKeyNote maker={maker.id} secret={key} onClose={() => setKey(null)} />}
      {asked === null ? null : (
        <QuestionDialog title={QUESTIONS[asked].title} onClose={close}>
          <p>
            {maker.id}: {QUESTIONS[asked].consequence}
          </p>
          {change.error === null ? null : <ErrorNote error={change.error} />}
          <div className="question__buttons">
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" busy={change.isPending} onClick={() => act(asked)}>
              {QUESTIONS[asked].label}
            </Button>
          </div>
        </QuestionDialog>
      )}
    </>
  );
}
