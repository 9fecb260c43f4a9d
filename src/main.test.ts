import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';

/** Loaded with the work that needs them, and the memory that they take. */
const late = [
  // 40 MB
  '@duckdb/node-api',
  // 25 MB each
  '@simplewebauthn/server',
  'undici',
  // 20 MB
  'nodemailer',
  // 15 MB together
  'ssh2',
  'basic-ftp',
  // 18 MB
  'prom-client',
];

it('the program at rest has loaded no library that only some work needs', () => {
  const script = `import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({ load: (url, context, next) => (seen.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]), next(url, context)) });
    await import('./src/main.ts');
    console.log(JSON.stringify([...seen].filter((name) => name !== undefined)));`;
  const root = fileURLToPath(new URL('..', import.meta.url));
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: root });
  const packages = z.array(z.string()).parse(JSON.parse(String(output)));
  expect(packages).toContain('fastify');
  expect(packages.filter((name) => late.includes(name))).toEqual([]);
});
