import { useMemo, useState } from 'react';
import { type InstanceInfo, useInstance } from '../../api/instance.ts';
import { type ExactJson, formatExactJson, parseExactJson, toExactJson } from '../../base/exact-json.ts';
import { toField } from '../../openapi/form/fields.ts';
import { createSample } from '../../openapi/form/samples.ts';
import type { ApiModel, ApiOperation } from '../../openapi/model/api-model.ts';
import {
  type ApiRequest,
  buildApiRequest,
  createPlaceholders,
  getExampleValues,
  getRequestTarget,
} from '../../openapi/request/api-request.ts';
import type { ApiSide } from '../../openapi/use-api-model.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/code.tsx';
import { SnippetsView } from '../../parts/operations/snippets-view.tsx';
import { Panel } from '../../parts/page.tsx';
import { fetchText } from '../../api/call.ts';
import { ErrorNote } from '../../parts/status.tsx';

/** The example of an operation as a program. One that only reads can be sent, to show what this instance answers. */
export function ExampleRequest({
  model,
  operation,
  side,
}: {
  readonly model: ApiModel;
  readonly operation: ApiOperation;
  readonly side: ApiSide;
}) {
  const { data: instance } = useInstance();
  const request = useMemo(
    () => toExampleRequest(model, operation, side, instance),
    [model, operation, side, instance],
  );
  const needsCredential =
    instance?.requiresKey === true || operation.credentials.some(({ isRequired }) => isRequired);
  const canSend =
    operation.method === 'GET' &&
    operation.stream === null &&
    !needsCredential &&
    !request.path.includes('{');
  return (
    <>
      <Panel title="Example request">
        <SnippetsView request={request} isStream={operation.stream !== null} />
      </Panel>
      {canSend ? <ExampleAnswer request={request} /> : null}
    </>
  );
}

function toExampleRequest(
  model: ApiModel,
  operation: ApiOperation,
  side: ApiSide,
  instance: InstanceInfo | undefined,
): ApiRequest {
  const { parameters } = getExampleValues(operation);
  const origin = (side === 'admin' ? instance?.urls.admin : instance?.urls.rest) ?? window.location.origin;
  const named = operation.credentials.filter(
    ({ name, isRequired }) => isRequired || (name === 'ApiKey' && instance?.requiresKey === true),
  );
  return buildApiRequest(operation, {
    origin,
    parameters,
    body: createExampleBody(model, operation),
    credentials: createPlaceholders(named.map(({ name }) => name)),
  });
}

/** The example of a body, or what has its form. */
function createExampleBody({ schemas }: ApiModel, { body }: ApiOperation): ExactJson | undefined {
  if (body === null || body.kind === 'file') return undefined;
  if (body.example !== undefined) return toExactJson(body.example);
  return createSample(toField({ name: '', schema: body.schema, isRequired: true }, schemas));
}

interface ShownAnswer {
  readonly status: number;
  readonly text: string;
}

function ExampleAnswer({ request }: { readonly request: ApiRequest }) {
  const [answer, setAnswer] = useState<ShownAnswer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setError(null);
    try {
      setAnswer(await fetchAnswer(request));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel
      title="Example answer"
      aside={
        <Button onClick={() => void send()} busy={isBusy}>
          {answer === null ? 'Ask this instance' : 'Ask again'}
        </Button>
      }
    >
      {error === null ? null : <ErrorNote error={error} />}
      {answer === null ? (
        <p className="operation-view__text">The answer of this instance to the request above.</p>
      ) : (
        <>
          <p role="status">
            <Badge tone={answer.status < 400 ? 'good' : 'danger'}>{answer.status}</Badge>
          </p>
          <Code text={answer.text} language="json" label="the answer" maxLines={28} />
        </>
      )}
    </Panel>
  );
}

/** Sends a request to the server that the page came from, and returns its answer with line breaks. */
async function fetchAnswer(request: ApiRequest): Promise<ShownAnswer> {
  const { response, text } = await fetchText(getRequestTarget(request));
  const reading = parseExactJson(text);
  return { status: response.status, text: reading.ok ? formatExactJson(reading.value, 2) : text };
}
