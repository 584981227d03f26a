import { Button } from '../../../parts/button.tsx';
import { Code } from '../../../parts/code.tsx';
import { useDocsUrl } from '../../../api/instance.ts';

/** Shows a key, this once. It stands in no address and is forgotten when the note is closed. */
export function MakerKeyNote({
  maker,
  secret,
  onClose,
}: {
  readonly maker: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const docs = useDocsUrl();
  return (
    <section className="maker-key" aria-label="The key of the maker">
      <p>
        <strong>The key of {maker} is shown this once.</strong> Sluice keeps only a keyed hash of it. The
        maker sends it as <code>x-api-key</code> with each call, and reads its own page with it. How it goes
        on: <a href={`${docs}/quickstart/maker`}>Quick start for market makers</a>.
      </p>
      <Code text={secret} language="text" label="the key" />
      <Button onClick={onClose}>I have kept it</Button>
    </section>
  );
}
