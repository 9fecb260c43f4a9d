import { flushCompileCache } from 'node:module';
import { readConfig } from '#platform/config.ts';
import { startKontor } from '../../src/main.ts';
import { fastClock } from './fast-clock.ts';

// The program without its pages, for tests that kill it. KONTOR_TEST_CLOCK makes its time run faster, like the test's;
// KONTOR_TEST_REQUESTS sets the requests per user and minute.
try {
  const fast = process.env['KONTOR_TEST_CLOCK'];
  const requests = process.env['KONTOR_TEST_REQUESTS'];
  const kontor = await startKontor(readConfig(process.env), {
    pages: false,
    ...(fast === undefined ? {} : { clock: fastClock(fast) }),
    ...(requests === undefined ? {} : { requestsAMinute: Number(requests) }),
  });
  // The test may stop the program as soon as it reads the line.
  process.once('SIGTERM', () => void kontor.close().then(() => process.exit(0)));
  // Node writes its compile cache on exit, but most of these processes are killed.
  flushCompileCache();
  console.log(`ready ${kontor.url}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
