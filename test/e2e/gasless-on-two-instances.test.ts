import { describeGasless } from './gasless-suite.ts';

describeGasless('two instances');
