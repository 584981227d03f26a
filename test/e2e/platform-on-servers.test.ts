import { describePlatform } from './platform-suite.ts';

describePlatform('PostgreSQL and Valkey');
