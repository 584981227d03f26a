import type { EndpointExample } from '../../products/endpoint.ts';
import { EXAMPLE_WALLET } from '../../products/example-values.ts';
import type { Operation } from './openapi.ts';

/** The member of a route's schema that holds its example. The operation has it too, until `addExample` removes it. */
export const EXAMPLE = 'x-example';

/** What the documentation shows of a request where the endpoint itself says nothing. */
export interface Examples {
  /** Values by the names of parameters. */
  readonly values: Readonly<Record<string, string>>;
  /** The address of the demo wallet; null where there is none. */
  readonly wallet: string | null;
}

type DescribedOperation = Operation & { readonly [EXAMPLE]?: EndpointExample };

/** Moves the example of an operation to its parameters and its body. */
export function addExample(operation: DescribedOperation, { values, wallet }: Examples): Operation {
  const { [EXAMPLE]: example = {}, ...rest } = operation;
  const { query = {}, params = {}, body } = replaceExampleWallet(example, wallet ?? EXAMPLE_WALLET);
  const parameters = rest.parameters.map((parameter) => {
    const own = parameter.in === 'path' ? params : query;
    const value = own[parameter.name] ?? (parameter.in === 'path' ? undefined : values[parameter.name]);
    return value === undefined ? parameter : { ...parameter, example: value };
  });
  if (rest.requestBody === undefined || body === undefined) return { ...rest, parameters };
  const content = Object.entries(rest.requestBody.content as Record<string, object>).map(([type, media]) => [
    type,
    { ...media, example: body },
  ]);
  return { ...rest, parameters, requestBody: { ...rest.requestBody, content: Object.fromEntries(content) } };
}

function replaceExampleWallet(example: EndpointExample, wallet: string): EndpointExample {
  return JSON.parse(JSON.stringify(example).replaceAll(EXAMPLE_WALLET, wallet)) as EndpointExample;
}
