import { useMemo } from 'react';
import { MAKER_KEY, createOwnSource, isKeyRefused } from '../source/maker-source.ts';
import { useCredential } from '../../../api/credentials.ts';
import { useDocsUrl, useInstance } from '../../../api/instance.ts';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { SecretForm } from '../../../parts/secret-form.tsx';
import { Loading } from '../../../parts/status.tsx';
import { useMakerStatus } from '../source/use-maker.ts';
import { MakerView } from '../view/maker-view.tsx';

/** The page of a maker that shows its own key. */
export function OwnMaker() {
  const [key, keep] = useCredential(MAKER_KEY);
  if (key === '') return <Entrance refusal={null} onKey={keep} />;
  return <Entered onKey={keep} />;
}

function Entered({ onKey }: { readonly onKey: (key: string) => void }) {
  const source = useMemo(createOwnSource, []);
  const { data, error } = useMakerStatus(source);
  if (isKeyRefused(error)) return <Entrance refusal={error.message} onKey={onKey} />;
  if (data === undefined && error === null) return <Loading what="the maker" />;
  return (
    <>
      <div className="maker-actions">
        {data === undefined ? null : (
          <p>
            You see <strong>{data.value.id}</strong> as it sees itself: nothing of another maker.
          </p>
        )}
        <Button onClick={() => onKey('')}>Forget the key</Button>
      </div>
      <MakerView source={source} />
    </>
  );
}

function Entrance({
  refusal,
  onKey,
}: {
  readonly refusal: string | null;
  readonly onKey: (key: string) => void;
}) {
  const docs = useDocsUrl();
  const { data: instance, error } = useInstance();
  return (
    <>
      <Panel title="Your own page">
        <p>
          A maker quotes prices and trades against its own inventory: it streams order books over gRPC, or
          answers a request for each order. With its key it sees its books, fills and statistics here, and why
          it lost.
        </p>
        <SecretForm
          label="Key of the maker"
          help="Kept for this tab only, and sent to the endpoints for makers of this instance alone."
          error={refusal === null ? null : `The key was not accepted: ${refusal}`}
          action="Show my page"
          onSubmit={onKey}
        />
        {error === null ? null : (
          <p className="maker-note">
            The rest of the portal, and all makers on the admin port, need an API key here. The{' '}
            <a href="/portal">start page</a> asks for it.
          </p>
        )}
        {instance?.network.kind === 'embedded' ? (
          <p className="maker-note">
            The key of the demo maker, which <code>npm start</code> runs, is in the file{' '}
            <code>demo-maker-key</code> of the data folder, <code>.sluice</code> unless you chose another.
          </p>
        ) : null}
      </Panel>
      <Panel title="Become a maker">
        <p>
          The operator registers you with the address that signs your fills, and gives you a key. The{' '}
          <a href={`${docs}/quickstart/maker`}>quick start for market makers</a> takes a maker from nothing to
          a passed check; <a href={`${docs}/makers`}>For market makers</a> has the interfaces, and{' '}
          <a href={`${docs}/last-look`}>last look</a> what to check before you sign.
        </p>
        {instance?.urls.admin == null ? null : (
          <p>
            You run this instance?{' '}
            <a href={`${instance.urls.admin}/portal/makers`}>The makers on the admin port</a> can be
            registered, checked and looked at there.
          </p>
        )}
      </Panel>
    </>
  );
}
