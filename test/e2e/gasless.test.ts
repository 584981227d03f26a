import { describeGasless } from './gasless-suite.ts';

describeGasless('embedded stores');
