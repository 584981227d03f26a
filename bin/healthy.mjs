#!/usr/bin/env node
// For containers: ends with 0 when the REST port answers, wherever the environment says that it is and with whatever
// certificate. The server does not have to prove who it is, because it is told nothing.
import { get as getPlain } from 'node:http';
import { get as getTls } from 'node:https';

// Like the gateway, this takes an empty variable for one that is not set.
/** @param {string} name */
const readVariable = (name) => (process.env[name] ?? '').trim();

const port = readVariable('SLUICE_REST_PORT') || '8787';
const get = readVariable('SLUICE_TLS_CERT') === '' ? getPlain : getTls;
const given = readVariable('SLUICE_HOST');
const host = ['', '0.0.0.0', '::'].includes(given) ? '127.0.0.1' : given;

get({ host, port, path: '/healthz', rejectUnauthorized: false }, (answer) => {
  process.exit(answer.statusCode === 200 ? 0 : 1);
}).on('error', (error) => {
  process.stderr.write(`${host}:${port} does not answer: ${error.message}\n`);
  process.exit(1);
});
