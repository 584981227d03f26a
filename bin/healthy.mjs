#!/usr/bin/env node
// For containers: ends with 0 when the REST port answers, wherever the environment says that it is and with whatever
// certificate. The server does not have to prove who it is, because it is told nothing.
import { get as getPlain } from 'node:http';
import { get as getTls } from 'node:https';

const { SLUICE_HOST = '', SLUICE_REST_PORT: port = '8787', SLUICE_TLS_CERT: certificate = '' } = process.env;
const get = certificate === '' ? getPlain : getTls;
const everywhere = ['', '0.0.0.0', '::'].includes(SLUICE_HOST);
const host = everywhere ? '127.0.0.1' : SLUICE_HOST;

get({ host, port, path: '/healthz', rejectUnauthorized: false }, (answer) => {
  process.exit(answer.statusCode === 200 ? 0 : 1);
}).on('error', (error) => {
  process.stderr.write(`${host}:${port} does not answer: ${error.message}\n`);
  process.exit(1);
});
