import { readConfig } from '#platform/config.ts';
import { startKontor } from '../../src/main.ts';

// The program without its pages, for tests that kill it.
try {
  const kontor = await startKontor(readConfig(process.env), { pages: false });
  console.log(`ready ${kontor.url}`);
  process.once('SIGTERM', () => void kontor.close().then(() => process.exit(0)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
