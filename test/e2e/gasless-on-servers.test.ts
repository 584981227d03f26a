import { describeGasless } from './gasless-suite.ts';

describeGasless('PostgreSQL and Valkey');
