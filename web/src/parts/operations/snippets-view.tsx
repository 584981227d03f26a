import './snippets-view.css';
import { useMemo } from 'react';
import type { ApiRequest } from '../../openapi/request/api-request.ts';
import { writeCurl } from '../../openapi/snippets/curl.ts';
import { writePython } from '../../openapi/snippets/python.ts';
import { writeTypeScript } from '../../openapi/snippets/typescript.ts';
import { Code } from '../code.tsx';
import { Tabs } from '../tabs.tsx';

/** The request as a program. It follows the form. */
export function SnippetsView({
  request,
  isStream,
}: {
  readonly request: ApiRequest;
  readonly isStream: boolean;
}) {
  const { curl, typescript, python } = useMemo(
    () => ({
      curl: writeCurl(request),
      typescript: writeTypeScript(request, isStream),
      python: writePython(request, isStream),
    }),
    [request, isStream],
  );
  return (
    <div className="snippets-view">
      <Tabs
        label="The request as a program"
        tabs={[
          {
            id: 'curl',
            label: 'curl',
            content: <Code text={curl} language="bash" label="the request as curl" maxLines={14} />,
          },
          {
            id: 'typescript',
            label: 'TypeScript',
            content: (
              <Code text={typescript} language="typescript" label="the request in TypeScript" maxLines={20} />
            ),
          },
          {
            id: 'python',
            label: 'Python',
            content: <Code text={python} language="python" label="the request in Python" maxLines={20} />,
          },
        ]}
      />
    </div>
  );
}
