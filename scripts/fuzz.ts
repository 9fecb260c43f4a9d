import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// `npm run fuzz [-- --minutes=5] [--seed=7]`: runs test/e2e/platform/fuzz.test.ts for longer, half of the time on each database.
const option = (name: string, usual: number) =>
  Number(process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual);
const { status } = spawnSync('vitest', ['run', 'test/e2e/platform/fuzz.test.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  env: {
    ...process.env,
    KONTOR_FUZZ_SECONDS: String(option('minutes', 1) * 30),
    KONTOR_FUZZ_SEED: String(option('seed', Date.now() % 1_000_000)),
  },
});
process.exitCode = status ?? 1;
