import './reference-home.css';
import { Link } from '@tanstack/react-router';
import { useDocsUrl, useInstance } from '../../api/instance.ts';
import type { ApiGroup, ApiModel } from '../../openapi/model/api-model.ts';
import type { ApiSide } from '../../openapi/use-api-model.ts';
import { Method } from '../../parts/operations/method.tsx';
import { Prose } from '../../parts/prose.tsx';

/** What is shown while no operation is chosen: how requests are made, and all groups. */
export function ReferenceHome({ model, side }: { readonly model: ApiModel; readonly side: ApiSide }) {
  return (
    <div className="reference-home">
      <p className="reference-home__lead">
        <Prose text={model.description} /> {model.operations.size} operations in {model.groups.length} groups.
      </p>
      <RequestRules side={side} />
      {model.groups.map((group) => (
        <GroupCard key={group.name} group={group} side={side} />
      ))}
    </div>
  );
}

/** What holds for every request. */
function RequestRules({ side }: { readonly side: ApiSide }) {
  const { data: instance } = useInstance();
  const docs = useDocsUrl();
  const origin = (side === 'admin' ? instance?.urls.admin : instance?.urls.rest) ?? window.location.origin;
  const documentPath = side === 'admin' ? '/portal/data/openapi/admin' : '/portal/data/openapi';
  return (
    <dl className="reference-home__rules">
      <div>
        <dt>Base address</dt>
        <dd>
          <code>{origin}</code>
        </dd>
      </div>
      <div>
        <dt>Credential</dt>
        <dd>
          {side === 'admin' ? (
            <Prose text="`authorization: Bearer` and the operator's credential or a member's token" />
          ) : (
            <>
              <Prose text="`x-api-key` and a key" />
              {instance?.requiresKey === true
                ? ', which this instance requires'
                : '; without one, requests are limited more'}
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Refusals</dt>
        <dd>
          <a href={`${docs}/errors`}>Every code and text</a>, also below each operation
        </dd>
      </div>
      <div>
        <dt>For tools</dt>
        <dd>
          <a href={documentPath}>OpenAPI document</a>
          {side === 'public' ? (
            <>
              , <a href={`${docs}/api.md`}>as Markdown</a>, <a href={`${docs}/api`}>on one page</a>
            </>
          ) : null}
        </dd>
      </div>
    </dl>
  );
}

function GroupCard({ group, side }: { readonly group: ApiGroup; readonly side: ApiSide }) {
  return (
    <section className="reference-home__group">
      <h2>{group.name}</h2>
      <p>
        <Prose text={group.description} />
      </p>
      <ul>
        {group.operations.map(({ id, method, path, summary }) => (
          <li key={id}>
            <Link
              to="/reference/$operationId"
              params={{ operationId: id }}
              search={side === 'admin' ? { side } : {}}
              preload={false}
            >
              <Method name={method} />
              <code>{path}</code>
              <span>{summary}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
