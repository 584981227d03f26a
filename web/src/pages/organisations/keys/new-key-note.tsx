import { Link } from '@tanstack/react-router';
import { useInstance } from '../../../api/instance.ts';
import { shortenName } from '../../../base/format-text.ts';
import { Code } from '../../../parts/code.tsx';
import { SecretNote } from '../../../parts/manage/secret-note.tsx';
import type { CreatedKey } from './create-key.tsx';
import { buildFirstRequest } from './first-request.ts';

/** Shows a key that was just created, this once, with a first request and where that will be found. */
export function NewKeyNote({
  organisation,
  created: { team, name, products, secret },
  onClose,
}: {
  readonly organisation: string;
  readonly created: CreatedKey;
  readonly onClose: () => void;
}) {
  const { data: instance } = useInstance();
  return (
    <SecretNote
      title={`The key ${shortenName(name, 64)} of ${organisation}/${team} is shown this once.`}
      label="the key"
      secret={secret}
      onClose={onClose}
    >
      {instance === undefined ? null : (
        <>
          <p>Send it as x-api-key. A first request:</p>
          <Code
            text={buildFirstRequest({
              restUrl: instance.urls.rest,
              secret,
              products,
              served: instance.products,
            })}
            language="bash"
            label="a first request with the key"
          />
        </>
      )}
      <p>
        <Link
          to="/organisations/$organisation/log"
          params={{ organisation }}
          search={{ key: `${team}/${name}` } as never}
        >
          See its requests in the log
        </Link>{' '}
        once it has sent some. The key is gone from this page then.
      </p>
    </SecretNote>
  );
}
