import { execFileSync } from 'node:child_process';
import { z } from 'zod';

/** Returns the names of the packages that Node loads with a module; `module`: its path or URL. */
export function loadedPackages(module: string): string[] {
  const script = `import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({ load: (url, context, next) => (seen.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]), next(url, context)) });
    await import(${JSON.stringify(module)});
    console.log(JSON.stringify([...seen].filter((name) => name !== undefined)));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script]);
  return z.array(z.string()).parse(JSON.parse(String(output)));
}

/** Loaded with the work that needs them, and the memory that they take. */
export const latePackages = [
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
