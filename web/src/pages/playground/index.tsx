import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useInstance } from '../../api/instance.ts';
import type { ApiModel } from '../../openapi/model/api-model.ts';
import { type ApiSide, useApiModel } from '../../openapi/use-api-model.ts';
import { Page } from '../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import { OperationsFrame } from '../../parts/operations/operations-frame.tsx';
import { PlaygroundHome } from './operations/playground-home.tsx';
import { Workbench } from './workbench.tsx';

/** Every endpoint with a form, the request as a program, and the answer. */
export function PlaygroundPage() {
  const { operationId } = useParams({ strict: false });
  const { side: given } = useSearch({ strict: false }) as { readonly side?: string };
  const { data: instance } = useInstance();
  const side: ApiSide = given === 'admin' && instance?.port !== 'rest' ? 'admin' : 'public';
  const { data: model, error, refetch } = useApiModel(side);
  return (
    <Page title="Playground" wide>
      {model !== undefined ? (
        <Playground
          side={side}
          model={model}
          operationId={operationId}
          hasAdmin={instance?.port === 'admin'}
        />
      ) : error !== null ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the endpoints" />
      )}
    </Page>
  );
}

function Playground({
  side,
  model,
  operationId,
  hasAdmin,
}: {
  readonly side: ApiSide;
  readonly model: ApiModel;
  readonly operationId: string | undefined;
  readonly hasAdmin: boolean;
}) {
  const operation = operationId === undefined ? undefined : model.operations.get(operationId);
  return (
    <OperationsFrame page="/playground" side={side} groups={model.groups} hasAdmin={hasAdmin}>
      {operationId !== undefined && operation === undefined ? (
        <EmptyNote>
          There is no endpoint of the name {operationId}. <Link to="/playground">See all of them.</Link>
        </EmptyNote>
      ) : operation === undefined ? (
        <PlaygroundHome model={model} side={side} />
      ) : (
        // A request of another endpoint shares nothing with this one, and ends with it.
        <Workbench key={`${side} ${operation.id}`} side={side} model={model} operation={operation} />
      )}
    </OperationsFrame>
  );
}
