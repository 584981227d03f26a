import { Type } from 'typebox';
import { defineEndpoint } from '../../src/products/endpoint.ts';
import { defineProduct } from '../../src/products/product.ts';

export interface SampleDependencies {
  readonly greeting: string;
  /** Called when the product is closed. */
  readonly onClosed: () => void;
}

interface SampleServices {
  readonly greet: (name: string) => string;
}

const greet = defineEndpoint({
  method: 'GET',
  path: '/sample/v1/greetings/:name',
  operationId: 'GetGreeting',
  summary: 'A greeting',
  description: 'Greets the named person.',
  credits: 7,
  params: Type.Object({ name: Type.String({ maxLength: 20 }) }),
  query: Type.Object({ times: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })) }),
  responses: { 200: Type.Object({ greetings: Type.Array(Type.String()) }) },
  handle: (services: SampleServices, { params, query }) => ({
    greetings: Array.from({ length: query.times ?? 1 }, () => services.greet(params.name)),
  }),
});

const send = defineEndpoint({
  method: 'POST',
  path: '/sample/v1/greetings',
  aliases: ['/hello/v0'],
  operationId: 'PostGreeting',
  summary: 'Send a greeting',
  description: 'Takes a greeting.',
  bucket: 'execute',
  credits: 0,
  body: Type.Object({ text: Type.String() }),
  responses: { 200: Type.Object({ sent: Type.String() }) },
  handle: (_services: SampleServices, { body }) => ({ sent: body.text }),
});

/** A small product with everything that a product can declare. */
export const sample = defineProduct({
  name: 'sample',
  description: 'A sample.',
  basePaths: ['/sample'],
  endpoints: [greet, send],
  open: ({ greeting, onClosed }: SampleDependencies) => ({
    services: { greet: (name: string) => `${greeting}, ${name}` },
    readiness: [{ name: 'greetings', unhealthy: () => (greeting === '' ? 'there is no greeting' : null) }],
    close: onClosed,
  }),
});
