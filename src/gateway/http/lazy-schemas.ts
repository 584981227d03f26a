import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { compileValidator } from './validation.ts';

/**
 * Compiles a function at its first call. The gateway has hundreds of schemas, of which most are not used in the first
 * minutes, and compiling them all took a fifth of a start.
 */
function compileAtFirstCall<T, R>(compile: () => (value: T) => R): (value: T) => R {
  let compiled: ((value: T) => R) | null = null;
  return (value) => {
    compiled ??= compile();
    return compiled(value);
  };
}

/** Like `compileValidator`, but compiles each schema for the first request that it validates. */
export const compileValidatorLazily: FastifySchemaCompiler<TSchema> = (route) =>
  compileAtFirstCall(() => compileValidator(route));

/** Builds the serialisers of responses as Fastify does, but compiles each for the first response that it serialises. */
export const buildLazySerializers: ReturnType<typeof SerializerSelector> = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => compileAtFirstCall(() => compile(route));
};
