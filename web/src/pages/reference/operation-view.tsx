import './operation-view.css';
import { Link } from '@tanstack/react-router';
import { useDocsUrl } from '../../api/instance.ts';
import type { ApiModel, ApiOperation } from '../../openapi/model/api-model.ts';
import type { ApiSide } from '../../openapi/use-api-model.ts';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Method } from '../../parts/operations/method.tsx';
import { Panel } from '../../parts/page.tsx';
import { Prose } from '../../parts/prose.tsx';
import { AnswerList } from './answer-list.tsx';
import { ErrorTables } from './error-tables.tsx';
import { ExampleRequest } from './example-request.tsx';
import { ParameterList } from './parameter-list.tsx';
import { findProductGuide } from './product-guide.ts';
import { SchemaDisclosure } from './schema-tree.tsx';

/** One operation: what it takes and answers, beside an example of it. */
export function OperationView({
  model,
  side,
  operation,
}: {
  readonly model: ApiModel;
  readonly side: ApiSide;
  readonly operation: ApiOperation;
}) {
  const { parameters, body, answers } = operation;
  return (
    <article className="operation-view">
      <OperationHead operation={operation} side={side} />
      <div className="operation-view__columns">
        <div className="operation-view__facts">
          {parameters.length === 0 ? null : (
            <Panel title="Parameters">
              <ParameterList parameters={parameters} named={model.schemas} />
            </Panel>
          )}
          {body === null ? null : (
            <Panel
              title="Body"
              aside={<code className="operation-view__types">{body.types.join(', ')}</code>}
            >
              <SchemaDisclosure
                label={body.isRequired ? 'Required:' : 'Optional:'}
                schema={body.schema}
                named={model.schemas}
              />
            </Panel>
          )}
          <Panel title="Answers">
            <AnswerList answers={answers} named={model.schemas} />
          </Panel>
          <Panel title="Errors">
            <ErrorTables operation={operation} side={side} />
          </Panel>
        </div>
        <div className="operation-view__example">
          <ExampleRequest model={model} operation={operation} side={side} />
        </div>
      </div>
    </article>
  );
}

function OperationHead({ operation, side }: { readonly operation: ApiOperation; readonly side: ApiSide }) {
  const { id, method, path, summary, description } = operation;
  const docs = useDocsUrl();
  const { origin } = window.location;
  const guide = side === 'public' ? findProductGuide(operation) : null;
  return (
    <header className="operation-view__head">
      <h2>{summary === '' ? id : summary}</h2>
      <p className="operation-view__path">
        <Method name={method} />
        <code>{path}</code>
        <CopyButton text={path} label="Copy the path" />
      </p>
      {description === '' ? null : (
        <p className="operation-view__text">
          <Prose text={description} />
        </p>
      )}
      <OperationFacts operation={operation} />
      <p className="operation-view__links">
        <Link
          to="/playground/$operationId"
          params={{ operationId: id }}
          search={side === 'admin' ? { side } : {}}
          className="button button--primary"
          preload={false}
        >
          Try it
        </Link>
        {side === 'public' ? <a href={`${docs}/api.md#${id.toLowerCase()}`}>As Markdown</a> : null}
        {guide === null ? null : <a href={`${docs}/${guide}`}>Guide to the product</a>}
        <CopyButton
          text={`${origin}/portal/reference/${encodeURIComponent(id)}${side === 'admin' ? '?side=admin' : ''}`}
          shown="Copy link"
          label="Copy link to this page"
        />
      </p>
    </header>
  );
}

/** What a request costs, what it is counted towards, and who may send it. */
function OperationFacts({ operation }: { readonly operation: ApiOperation }) {
  const { bucket, credits, credentials, right, stream, isDeprecated } = operation;
  const required = credentials.find(({ isRequired }) => isRequired);
  return (
    <ul className="operation-view__badges">
      {isDeprecated ? (
        <li>
          <Badge tone="warning">deprecated</Badge>
        </li>
      ) : null}
      {stream === null ? null : (
        <li>
          <Badge tone="accent">{stream === 'events' ? 'server-sent events' : 'lines of JSON'}</Badge>
        </li>
      )}
      {bucket === null ? null : (
        <li title="Requests of one bucket are counted together towards the limit of the plan.">
          <Badge>limit: {bucket}</Badge>
        </li>
      )}
      {credits === null ? null : (
        <li title="What an answered request costs a caller with a key.">
          <Badge>{credits === 0 ? 'costs no credit' : `${credits} credit${credits === 1 ? '' : 's'}`}</Badge>
        </li>
      )}
      {required === undefined ? null : (
        <li title={`Sent as ${required.header}: ${required.prefix}...`}>
          <Badge tone="accent">needs {required.header}</Badge>
        </li>
      )}
      {right === null ? null : (
        <li title="The right that a member needs.">
          <Badge>right: {right}</Badge>
        </li>
      )}
    </ul>
  );
}
