import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useInstance } from '../../api/instance.ts';
import { type ApiSide, useApiModel } from '../../openapi/use-api-model.ts';
import { OperationsFrame } from '../../parts/operations/operations-frame.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import { OperationView } from './operation-view.tsx';
import { ReferenceHome } from './reference-home.tsx';

/** Every operation of the API: what it takes, what it answers, and how it refuses. */
export function ReferencePage() {
  const { operationId } = useParams({ strict: false });
  const { side: given } = useSearch({ strict: false }) as { readonly side?: string };
  const { data: instance } = useInstance();
  // The REST port has no document of the admin interface.
  const side: ApiSide = given === 'admin' && instance?.port === 'admin' ? 'admin' : 'public';
  const isSideKnown = given !== 'admin' || instance !== undefined;
  const { data: model, error, refetch } = useApiModel(side);
  const operation = operationId === undefined ? undefined : model?.operations.get(operationId);
  return (
    <Page title="API reference" wide>
      {model !== undefined && isSideKnown ? (
        <OperationsFrame
          page="/reference"
          side={side}
          groups={model.groups}
          hasAdmin={instance?.port === 'admin'}
        >
          {operation !== undefined ? (
            <OperationView key={`${side} ${operation.id}`} model={model} side={side} operation={operation} />
          ) : operationId === undefined ? (
            <ReferenceHome model={model} side={side} />
          ) : (
            <EmptyNote>
              There is no endpoint of the name {operationId}. <Link to="/reference">See all of them.</Link>
            </EmptyNote>
          )}
        </OperationsFrame>
      ) : error !== null ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the reference" />
      )}
    </Page>
  );
}
