import { flushCompileCache } from 'node:module';
import { readConfig } from '#platform/config.ts';
import { startKontor } from '../../src/main.ts';
import { fastClock } from './fast-clock.ts';

// The program without its pages, for tests that kill it. With KONTOR_TEST_CLOCK its time runs faster, as theirs does; with
// KONTOR_TEST_REQUESTS it answers so many requests of a person in a minute.
try {
  const fast = process.env['KONTOR_TEST_CLOCK'];
  const requests = process.env['KONTOR_TEST_REQUESTS'];
  const kontor = await startKontor(readConfig(process.env), {
    pages: false,
    ...(fast === undefined ? {} : { clock: fastClock(fast) }),
    ...(requests === undefined ? {} : { requestsAMinute: Number(requests) }),
  });
  // Whoever reads the line may end the program at once.
  process.once('SIGTERM', () => void kontor.close().then(() => process.exit(0)));
  // Node writes what it compiled when it ends, and most of these are killed.
  flushCompileCache();
  console.log(`ready ${kontor.url}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
